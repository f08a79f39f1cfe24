import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-workloads-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const inject = async (apiVersion: string, kind: string, spec: string, config = STAMP) => {
  writeFileSync(join(cwd, 'podgraft.yaml'), config);
  const input = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web}\nspec: ${spec}\n`;
  return podgraft(['inject', '-f', '-'], { cwd, input });
};
const template = (path: readonly string[]) =>
  path.reduceRight((inner, key) => `{${key}: ${inner}}`, '{spec: {containers: [{name: web, image: w}]}}');
const injected = /metadata: \{annotations: \{injected-by: my-webhook\}\}/;

test.each([
  ['argoproj.io/v1alpha1', 'Rollout', ['template']],
  ['serving.knative.dev/v1', 'Service', ['template']],
  ['keda.sh/v1alpha1', 'ScaledJob', ['jobTargetRef', 'template']],
  ['apps.kruise.io/v1alpha1', 'CloneSet', ['template']],
  ['agones.dev/v1', 'Fleet', ['template', 'spec', 'template']],
])('injects the Pod template of %s %s', async (apiVersion, kind, path) => {
  const { code, stdout } = await inject(apiVersion, kind, template(path));
  expect(code).toBe(0);
  expect(stdout).toMatch(injected);
});

test('leaves an unknown kind alone until the configuration names its template', async () => {
  const spec = template(['runs', 'podTemplate']);
  expect((await inject('example.com/v1', 'Batch', spec)).stdout).not.toMatch(injected);
  const workloads =
    'workloads: [{apiVersion: example.com/v1, kind: Batch, podTemplate: spec.runs.podTemplate}]\n';
  expect((await inject('example.com/v2', 'Batch', spec, STAMP + workloads)).stdout).toMatch(injected);
});

test('a core Service is not a workload', async () => {
  expect((await inject('v1', 'Service', template(['template']))).stdout).not.toMatch(injected);
});

test('a path with slashes is an error with file, line and key', async () => {
  const workloads = 'workloads: [{apiVersion: example.com/v1, kind: Batch, podTemplate: /spec/template}]\n';
  const { code, stderr } = await inject('v1', 'Pod', '{}', STAMP + workloads);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /podgraft\.yaml:\d+: workloads\.0\.podTemplate: expected the path of the Pod template, such as spec\.template/,
  );
});
