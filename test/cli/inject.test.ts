import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const CONFIG = `${STAMP}  - name: replicas
    use: overlay
    match: {kinds: [Deployment], namespaceSelector: {matchLabels: {tier: prod}}}
    with: {overlay: {spec: {replicas: {$atLeast: 2}}}}
`;

const MANIFESTS = `# What we run in production.

apiVersion: apps/v1
kind: Deployment
metadata:
    name: web           # indented by four spaces
    namespace: "shop"
spec:
    replicas: 1         # a minimum applies
    selector: {matchLabels: {app: web}}
    template:
        metadata:
            labels: {'app': "web"}
        spec:
            containers:
            - name: web
              image: nginx:1.27   # pinned
              args: ["-g", 'daemon off;']
              env:
              - {name: BIG, value: "9007199254740993"}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {tier: prod}}
---
# a ConfigMap, which is not injected
apiVersion: v1
kind: ConfigMap
metadata: {name: numbers}
data:
  octal: "0o17"
  script: |
    #!/bin/sh
    echo   spaced   # kept
...
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - {name: job, image: busybox}
`;

let folder: string;
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-cli-'));
  file('podgraft.yaml', CONFIG);
  file('manifests.yaml', MANIFESTS);
});
afterAll(() => rmSync(folder, { recursive: true }));
const run = (args: string[], input?: string) =>
  podgraft(args, { cwd: folder, ...(input !== undefined && { input }) });

describe('podgraft inject', () => {
  test('keeps every byte that does not have to change', async () => {
    const { code, stdout, stderr } = await run(['inject', '-f', 'manifests.yaml']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = MANIFESTS.split('\n');
    const printed = stdout.split('\n');
    // All lines except the one with the replicas are present, in the same order.
    let position = 0;
    for (const line of lines.filter((text) => !text.includes('replicas: 1'))) {
      position = printed.indexOf(line, position) + 1;
      expect(position, `line ${JSON.stringify(line)}`).toBeGreaterThan(0);
    }
    expect(printed.filter((line) => !lines.includes(line))).toEqual([
      '    replicas: 2         # a minimum applies',
      '            annotations:',
      '                injected-by: my-webhook',
      '          annotations:',
      '            injected-by: my-webhook',
    ]);
  });

  test('is idempotent', async () => {
    const once = await run(['inject', '-f', 'manifests.yaml']);
    const twice = await run(['inject', '-f', '-'], once.stdout);
    expect(twice.stdout).toBe(once.stdout);
  });

  test('passes unchanged documents through', async () => {
    const text = MANIFESTS.slice(MANIFESTS.indexOf('# a ConfigMap'), MANIFESTS.indexOf('...\n'));
    expect((await run(['inject', '-f', '-'], text)).stdout).toBe(text);
  });

  test('takes namespaces from --cluster, and from -n for objects without a namespace', async () => {
    file('cluster.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: blue, labels: {tier: prod}}\n');
    const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 1}\n';
    const args = ['inject', '-f', '-', '-o', 'patch', '--cluster', 'cluster.yaml'];
    const there = await run([...args, '-n', 'blue'], deployment);
    expect(JSON.parse(there.stdout)).toEqual([
      {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'blue', name: 'd' },
        patch: [{ op: 'replace', path: '/spec/replicas', value: 2 }],
      },
    ]);
    const elsewhere = await run([...args, '-n', 'green'], deployment);
    expect(JSON.parse(elsewhere.stdout)).toMatchObject([{ patch: [] }]);
  });

  test('prints one object as JSON, several as a List, and injects the items of a List', async () => {
    const pod = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'a', image: 'nginx' }] },
    });
    const one = await run(['inject', '-f', '-', '-o', 'json'], JSON.stringify(pod('one')));
    expect(JSON.parse(one.stdout)).toMatchObject({
      kind: 'Pod',
      metadata: { annotations: { 'injected-by': 'my-webhook' } },
    });
    const list = { apiVersion: 'v1', kind: 'List', items: [pod('one'), pod('two')] };
    const two = await run(['inject', '-f', '-', '-o', 'json'], JSON.stringify(list));
    expect(JSON.parse(two.stdout)).toMatchObject({
      kind: 'List',
      items: [{ metadata: { name: 'one' } }, { metadata: { name: 'two' } }],
    });
  });

  test('reads a stream of JSON documents', async () => {
    const spec = { containers: [{ name: 'a', image: 'nginx' }] };
    const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    const input = [pod('one'), pod('two')].map((object) => JSON.stringify(object)).join('\n');
    const { code, stdout } = await podgraft(['inject', '-f', '-', '-o', 'json'], { cwd: folder, input });
    const { items } = JSON.parse(stdout) as { items: { metadata: object }[] };
    const annotations = { 'injected-by': 'my-webhook' };
    expect(items.map(({ metadata }) => metadata)).toEqual([
      { name: 'one', annotations },
      { name: 'two', annotations },
    ]);
    expect(code).toBe(0);
  });

  test('keeps integers beyond 2^53 in YAML, and warns if it prints them as JSON', async () => {
    const spec = '{containers: [{name: a, image: nginx}], id: 9007199254740993}';
    const input = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: ${spec}\n`;
    const inject = (output: string) => podgraft(['inject', '-f', '-', '-o', output], { cwd: folder, input });
    const yaml = await inject('yaml');
    expect(yaml.stderr).toBe('');
    expect(yaml.stdout).toContain('id: 9007199254740993');
    const warning = 'warning: standard input:1: Pod "p": an integer beyond 2^53 is not printed exactly\n';
    expect(await inject('json')).toMatchObject({ code: 0, stderr: warning });
  });

  test('does not inject Pods on UPDATE', async () => {
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: nginx}]}\n';
    expect((await run(['inject', '-f', '-', '--operation', 'UPDATE'], pod)).stdout).toBe(pod);
  });

  test('reports files that are not Kubernetes YAML, injects the others, and exits with 1', async () => {
    const bad = file('bad.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: x\n');
    const other = file('notes.yaml', 'just: notes\n');
    const good = file(
      'good.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: nginx}]}\n',
    );
    const { code, stdout, stderr } = await run([
      'inject',
      '-f',
      bad,
      '-f',
      other,
      '-f',
      good,
      '-f',
      'nowhere.yaml',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('injected-by: my-webhook');
    expect(stderr).toMatch(/^error: \S*bad\.yaml:4: Flow map .*\n/);
    expect(stderr).toContain(`error: ${other}:1: not a Kubernetes object: apiVersion or kind is missing\n`);
    expect(stderr).toContain('error: nowhere.yaml: no such file or folder\n');
    expect(stderr).not.toContain('    at ');
  });

  test('accepts an empty List, as kubectl prints it', async () => {
    const list = 'apiVersion: v1\nkind: List\nitems: []\n';
    expect(await run(['inject', '-f', '-'], list)).toMatchObject({ code: 0, stdout: list, stderr: '' });
    expect(await run(['inject', '-f', '-'], '# nothing\n')).toMatchObject({ code: 1, stdout: '' });
  });

  test('reports a Pod without containers', async () => {
    const { code, stderr } = await run(
      ['inject', '-f', '-'],
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {}\n',
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: standard input:1: Pod: spec.containers is missing\n',
    });
  });

  test('reports denied objects on stderr and does not print them', async () => {
    const injector = `export default { name: 'no', summary: 'no', match: {}, inject: (pod) => pod.metadata.name === 'bad' ? { deny: 'not today' } : { skip: 'fine', warnings: ['careful'] } };`;
    file('no.mjs', injector);
    const config = file(
      'deny.yaml',
      'apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors: [{name: "no", use: ./no.mjs}]\n',
    );
    const pods = ['bad', 'good'].map(
      (name) =>
        `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: a, image: nginx}]}\n`,
    );
    const { code, stdout, stderr } = await run(['inject', '-f', '-', '--config', config], pods.join('---\n'));
    expect(code).toBe(1);
    expect(stdout.replace(/^---\n/, '')).toBe(pods[1]);
    expect(stderr).toContain('error: standard input:1: Pod "bad": denied by injector "no": not today\n');
    expect(stderr).toContain('warning: standard input:5: Pod "good": careful\n');
  });
});

describe('podgraft explain', () => {
  test('lists for every injector what it did or why it did nothing, and what was kept', async () => {
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {injected-by: me}}\nspec: {containers: [{name: a, image: nginx}]}\n';
    const { code, stdout } = await run(['explain', '-f', '-'], pod);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'Pod "p"  standard input:1',
        '  stamp     grafted    nothing to add',
        '    = /metadata/annotations/injected-by  kept "me", wanted "my-webhook"',
        '  replicas  unmatched  not for kind Pod',
        '',
      ].join('\n'),
    );
  });

  test('prints the trace as JSON', async () => {
    const { stdout } = await run(['explain', '-f', 'manifests.yaml', '-o', 'json']);
    const [deployment] = JSON.parse(stdout) as [{ parts: unknown[] }];
    expect(deployment).toMatchObject({
      resource: { kind: 'Deployment', name: 'web' },
      parts: [
        {
          kind: 'Deployment',
          path: '',
          trace: [{ decision: 'unmatched' }, { decision: 'grafted', patch: [{ path: '/spec/replicas' }] }],
        },
        {
          kind: 'Pod',
          path: '/spec/template',
          trace: [{ injector: 'stamp', decision: 'grafted' }, { decision: 'unmatched' }],
        },
      ],
    });
  });
});

describe('invalid arguments', () => {
  test.each([
    [['inject'], "required option '-f, --filename <path>' not specified"],
    [['inject', '-f', '-', '-o', 'toml'], "argument 'toml' is invalid"],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['serve', '--workers', 'many'], 'Expected an integer from 1 to 256'],
    [['serve', '--http', '--tls-dir', 'x'], "option '--http' cannot be used with option '--tls-dir <dir>'"],
    [['manifests', '--name', 'My_Injector'], "argument 'My_Injector' is invalid"],
    [['manifests', '--namespace', 'x y'], "argument 'x y' is invalid"],
    [['serve'], 'no source for the certificate'],
  ])('podgraft %j exits with 2', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
