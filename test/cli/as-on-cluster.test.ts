import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: house
    use: overlay
    with:
      overlay:
        spec:
          containers:
            - name: "*"
              imagePullPolicy: Always
              resources: {requests: {cpu: 100m}}
              ports: [{name: metrics, containerPort: 9090}]
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web          # the app
          image: nginx:1.27  # pinned
          readinessProbe:
            httpGet: {port: 80} # the root
`;

const INVALID = `apiVersion: v1
kind: Pod
metadata: {name: two}
spec:
  containers:
    - name: web
      image: nginx:1.27
      imagePullPolicy: Never
      ports: [{name: metrics, containerPort: 80}]
`;

const WARNING =
  'warning: podgraft.yaml:11: injectors.0.with.overlay.spec.containers.0.imagePullPolicy: every Pod has "imagePullPolicy" by then: use {$force: …} to replace it\n';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-defaults-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
});
afterAll(() => rmSync(folder, { recursive: true }));
const run = (command: string, input: string, ...args: string[]) =>
  podgraft([command, '-f', '-', ...args], { cwd: folder, input });

describe('the defaults of the API server', () => {
  test('inject prints none that are not in the file, and keeps all other text', async () => {
    const { code, stdout, stderr } = await run('inject', DEPLOYMENT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: WARNING });
    expect(stdout).toBe(
      `${DEPLOYMENT}          resources:
            requests:
              cpu: 100m
          ports:
            - name: metrics
              containerPort: 9090
`,
    );
    expect((await run('inject', stdout)).stdout).toBe(stdout);
  });

  test('explain shows that a default is kept, as on the cluster', async () => {
    const { code, stdout } = await run('explain', DEPLOYMENT);
    expect(code).toBe(0);
    expect(stdout).toContain(
      '    = /spec/containers[web]/imagePullPolicy  kept "IfNotPresent" (default), wanted "Always"\n',
    );
  });
});

describe('the priority, which an admission plugin sets before webhooks are called', () => {
  const config = (spec: string) =>
    writeFileSync(
      join(folder, 'priority.yaml'),
      `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: house, use: overlay, with: {overlay: {spec: ${spec}}}}
`,
    );
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: a}]}\n';

  test('is kept, and is not printed', async () => {
    config('{priority: 5, preemptionPolicy: Never}');
    const { stdout, stderr } = await run('inject', pod, '--config', 'priority.yaml');
    expect(stderr).toContain('every Pod has "priority" by then');
    expect(stdout).toBe(pod);
    const explained = await run('explain', pod, '--config', 'priority.yaml');
    expect(explained.stdout).toContain('= /spec/priority  kept 0 (default), wanted 5\n');
    expect(explained.stdout).toContain(
      '= /spec/preemptionPolicy  kept "PreemptLowerPriority" (default), wanted "Never"\n',
    );
  });

  test('is not printed next to a PriorityClass that is added', async () => {
    config('{priorityClassName: high, hostNetwork: true}');
    const { stdout } = await run('inject', pod, '--config', 'priority.yaml');
    expect(stdout).toBe(pod.replace('}]}', '}], priorityClassName: high, hostNetwork: true}'));
  });
});

describe('a value that excludes the wanted one', () => {
  const overlay = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: house
    use: overlay
    with:
      overlay:
        spec:
          containers:
            - name: web
              env: [{name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
              readinessProbe: {httpGet: {port: {$force: 81}}}
          volumes:
            - {name: conf, emptyDir: {}}
            - {name: none, configMap: {name: c}}
`;
  const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      image: nginx:1.27
      env: [{name: B, value: mine}]
      readinessProbe: {exec: {command: ["true"]}}
  volumes:
    - {name: conf, configMap: {name: own, defaultMode: 0600}}
    - {name: none}
`;
  const explain = (...args: string[]) => run('explain', pod, '--config', 'rivals.yaml', ...args);
  beforeAll(() => writeFileSync(join(folder, 'rivals.yaml'), overlay));

  test('is named by explain, and is a default only if the file does not have it', async () => {
    const { code, stdout } = await explain();
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.includes('kept'))).toEqual([
      '    = /spec/containers[web]/env[B]/value  kept "mine", wanted valueFrom {"fieldRef":{"fieldPath":"metadata.name"}}',
      '    = /spec/containers[web]/readinessProbe/exec  kept {"command":["true"]}, wanted httpGet {"port":81}',
      '    = /spec/volumes[conf]/configMap  kept {"name":"own","defaultMode":384}, wanted emptyDir {}',
      '    = /spec/volumes[none]/emptyDir  kept {} (default), wanted configMap {"name":"c"}',
    ]);
  });

  test('is marked in JSON, too', async () => {
    const { stdout } = await explain('-o', 'json');
    const [{ parts }] = JSON.parse(stdout);
    const { kept } = parts[0].trace[0];
    expect(kept.map((each: { isDefault?: true }) => each.isDefault ?? false)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(kept[1]).toEqual({
      path: '/spec/containers/0/readinessProbe/exec',
      found: { command: ['true'] },
      wanted: { port: 81 },
      wantedField: 'httpGet',
    });
  });
});

describe('an invalid result', () => {
  const problem =
    '/spec/containers/0/ports/1/name: container "web": duplicate port name "metrics" (injector "house")';

  test('is an error that names object, path and injector, and is not printed', async () => {
    const { code, stdout, stderr } = await run('inject', `${INVALID}---\n${DEPLOYMENT}`);
    expect(code).toBe(1);
    expect(stderr).toBe(`${WARNING}error: standard input:1: Pod "two": ${problem}\n`);
    expect(stdout).not.toContain('name: two');
    expect(stdout).toContain('name: metrics');
  });

  test('is shown by explain', async () => {
    const { code, stdout } = await run('explain', INVALID);
    expect(code).toBe(1);
    expect(stdout).toContain(`  invalid  ${problem}\n`);
    const json = await run('explain', INVALID, '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject([
      { parts: [{ problems: [{ path: '/spec/containers/0/ports/1/name', injector: 'house' }] }] },
    ]);
  });

  test('may exceed what the Pod sets for all its containers', async () => {
    const own = CONFIG.replace('cpu: 100m', 'cpu: {$force: 100m}');
    writeFileSync(join(folder, 'forced.yaml'), own);
    const pod = INVALID.replace('spec:', 'spec:\n  resources: {requests: {cpu: 50m}}').replace(
      '{name: metrics, containerPort: 80}',
      '',
    );
    const { code, stderr } = await run('inject', pod, '--config', 'forced.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error: standard input:1: Pod "two": /spec/resources/requests/cpu: expected at least what the containers request together, found "50m" (injector "house")\n',
    );
    // A default gives way.
    const { code: valid, stdout } = await run('inject', pod);
    expect(valid).toBe(0);
    expect(stdout).not.toContain('100m');
  });

  test('of the file itself is an error without an injector', async () => {
    const file = DEPLOYMENT.replace('name: web          #', 'name: My_Web       #');
    const { code, stderr } = await run('inject', file);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${WARNING}error: standard input:1: Deployment "web": /spec/template/spec/containers/0/name: expected at most 63 lower-case letters, digits and "-" as the name of a container, found "My_Web"\n`,
    );
  });
});
