import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bad = 'test/lint/bad';
const folder = mkdtempSync(join(tmpdir(), 'podgraft-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lint = (args: readonly string[], input = '') => podgraft(['lint', ...args], { cwd: root, input });

describe('podgraft lint', () => {
  test('starts with the score and the three most urgent findings, and shows lines', async () => {
    const { stdout, code } = await lint([`${bad}/two-servers.yaml`]);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^Score \d+ of 100 {2}2 errors, \d+ warnings and \d+ notes in 2 webhooks$/);
    expect(lines[2]).toBe('Fix these first');
    expect(lines.filter((line) => /^ \d\. /.test(line))).toHaveLength(3);
    expect(lines[3]).toContain('need each other to start');
    expect(stdout).toContain('  └▶ ');
    expect(stdout).toMatch(/^ +18 {2}warning {2}immutable-update /m);
    expect(stdout).toContain(
      'mutating-fail  test/lint/bad/two-servers.yaml:12  Pods without the proxy must not start',
    );
  });

  test('reads folders and standard input', async () => {
    const whole = await lint([bad, '-o', 'json']);
    const files = new Set(JSON.parse(whole.stdout).findings.map(({ file }: { file: string }) => file));
    expect([...files].toSorted()).toContain(`${bad}/nodes.yaml`);
    expect(files.size).toBe(5);
    const piped = await lint(['-', '-o', 'json'], readFileSync(join(root, bad, 'nodes.yaml'), 'utf8'));
    expect(JSON.parse(piped.stdout).findings[0]).toMatchObject({
      rule: 'critical-resources',
      severity: 'error',
      file: 'standard input',
      line: 9,
      column: 68,
      path: '/webhooks/0/rules/0/resources',
      object: { kind: 'ValidatingWebhookConfiguration', name: 'nodes' },
      fixable: false,
    });
  });

  test('--fail-on decides the exit code', async () => {
    expect((await lint([`${bad}/slow.yaml`])).code).toBe(0);
    expect((await lint([`${bad}/slow.yaml`, '--fail-on', 'warning'])).code).toBe(1);
    expect((await lint(['test/lint/well-known/linkerd.yaml', '--fail-on', 'warning'])).code).toBe(0);
  });

  test('prints SARIF with rules, places and suppressions', async () => {
    const { stdout } = await lint([`${bad}/two-servers.yaml`, '-o', 'sarif']);
    const { version, runs } = JSON.parse(stdout);
    expect(version).toBe('2.1.0');
    const [{ tool, results }] = runs;
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    const [first] = results;
    expect(first.ruleId).toBe('webhook-cycle');
    expect(first.level).toBe('error');
    expect(first.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: `${bad}/two-servers.yaml` },
      region: { startLine: 26, startColumn: 5 },
    });
    const silenced = results.filter((result: object) => 'suppressions' in result);
    expect(silenced.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['mutating-fail']);
  });

  test('prints annotations for GitHub, escaped', async () => {
    const { stdout } = await lint([`${bad}/wrong-service.yaml`, '-o', 'github']);
    const [first] = stdout.split('\n');
    expect(first).toMatch(
      /^::error file=test\/lint\/bad\/wrong-service\.yaml,line=10,col=\d+,title=podgraft lint%3A service-reachable::/,
    );
    expect(first).toContain('%0A');
  });

  test('prints a page of HTML that escapes what comes from the input', async () => {
    const input = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: x}
webhooks: [{name: "<script>alert(1)</script>"}]
`;
    const { stdout } = await lint(['-', '-o', 'html'], input);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).not.toContain('<script');
    expect(stdout).toContain('&lt;script&gt;');
  });

  test('explains a rule, and suggests one for a mistyped name', async () => {
    const explained = await lint(['--explain', 'webhook-cycle']);
    expect(explained.stdout).toContain('https://kubernetes.io/docs/');
    const mistyped = await lint(['--explain', 'webhook-cylce']);
    expect(mistyped).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "webhook-cycle"?'),
    });
  });

  test.each([
    [[], 'Nothing to check'],
    [['-', '--fix'], '--fix needs files'],
    [['--context', 'x', '--fix'], '--fix needs files'],
    [['x.yaml', '--context', 'x'], 'either files or --context'],
  ])('refuses %j', async (args, message) => {
    expect(await lint(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('reports files that are not YAML, and leaves out what is not a Kubernetes object', async () => {
    writeFileSync(join(folder, 'values.yaml'), 'replicas: 2\n');
    writeFileSync(join(folder, 'template.yaml'), 'name: {{ .Release.Name }}: x\n');
    writeFileSync(join(folder, 'broken.yaml'), 'a: [\n');
    const { stdout, stderr, code } = await lint([folder]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: .*broken\.yaml:\d+: /m);
    expect(stderr).toMatch(/^warning: .*template\.yaml is a template: render it first$/m);
  });

  test('fails if there is nothing to check, so that a wrong path does not pass', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const text = join(folder, 'hello.txt');
    writeFileSync(text, 'hello\n');
    for (const [path, problem] of [
      [join(folder, 'missing.yaml'), 'no such file or folder'],
      [empty, 'no YAML or JSON files'],
      [text, 'no Kubernetes object'],
    ] as const) {
      expect(await lint([path])).toEqual({ code: 1, stdout: '', stderr: `error: ${path}: ${problem}\n` });
    }
    expect(await lint(['-'], '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no Kubernetes object'),
    });
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: x}\n';
    expect(await lint(['-'], service)).toEqual({ code: 0, stdout: 'No webhooks found\n', stderr: '' });
  });

  test('survives configurations of any shape', async () => {
    const shapes = [
      'webhooks: x',
      'webhooks: [1, {}]',
      'webhooks: [{rules: 1, clientConfig: [], matchConditions: {}}]',
    ];
    const objects = shapes.map(
      (shape) =>
        `apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: x, annotations: {podgraft.dev/lint-ignore: 3}}\n${shape}\n`,
    );
    const { code, stderr } = await lint(['-'], objects.join('---\n'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });
});

describe('podgraft lint --fix', () => {
  const file = join(folder, 'everything.yaml');

  test('rewrites the file, keeps comments, and shows the difference', async () => {
    cpSync(join(root, bad, 'everything.yaml'), file);
    const { stderr } = await lint([file, '--fix']);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^# Matches everything/);
    expect(text).toContain(`    namespaceSelector:
      matchExpressions:
        - key: kubernetes.io/metadata.name
          operator: NotIn
          values:
            - everything
`);
    expect(text.match(/^ +- name: not-/gm)).toHaveLength(2);
    const added = stderr.split('\n').filter((line) => /^\+[^+]/.test(line));
    const removed = stderr.split('\n').filter((line) => /^-[^-]/.test(line));
    expect(added.length).toBeGreaterThan(8);
    expect(removed).toEqual([]);
  });

  test('has nothing left to fix the second time, and fixes what it reports', async () => {
    const { stdout, stderr } = await lint([file, '--fix', '-o', 'json']);
    expect(stderr).toBe('');
    const { findings } = JSON.parse(stdout);
    const rules = findings.map(({ rule }: { rule: string }) => rule);
    for (const rule of ['own-namespace', 'node-leases', 'access-reviews']) expect(rules).not.toContain(rule);
    expect(findings.filter(({ fixable }: { fixable: boolean }) => fixable)).toEqual([]);
  });
});

describe('what Podgraft installs', () => {
  test.each([
    ['quickstart', []],
    ['filebeat', []],
    ['istio', []],
    ['opentelemetry', []],
    // It is configured to inject there, like the webhook that it replaces.
    ['pod-identity', ['kube-system', 'kube-system']],
  ])('the manifests of examples/%s have these findings if they validate: %j', async (example, expected) => {
    const config = ['--config', `examples/${example}/podgraft.yaml`];
    const { stdout } = await podgraft(['manifests', ...config, '--validate'], { cwd: root });
    const { findings } = JSON.parse((await lint(['-', '-o', 'json'], stdout)).stdout);
    expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(expected);
  });

  test.each([
    [[]],
    [['--fail-closed']],
    [['--tls', 'cert-manager']],
    [['--replicas', '3', '--name', 'other', '--namespace', 'elsewhere']],
    [['--url', 'https://podgraft.example.com']],
  ])('manifests with %j have notes only about what was chosen', async (flags) => {
    const config = ['--config', 'examples/quickstart/podgraft.yaml'];
    const { stdout } = await podgraft(['manifests', ...config, ...flags], { cwd: root });
    const { findings } = JSON.parse((await lint(['-', '-o', 'json'], stdout)).stdout);
    const rules = new Set(findings.map(({ rule }: { rule: string }) => rule));
    expect([...rules]).toEqual(flags.includes('--fail-closed') ? ['mutating-fail'] : ['unchecked-ignore']);
  });
});
