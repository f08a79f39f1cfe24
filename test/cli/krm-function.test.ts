import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { podgraft } from '../podgraft-process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-function-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
  kind: Config
  metadata: {name: podgraft, annotations: {config.kubernetes.io/function: "exec: {path: podgraft}"}}
  injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: my-webhook}}}`;

const list = (functionConfig: string, image = 'nginx:1') => `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  ${functionConfig}
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: web # the front end
    annotations: {internal.config.kubernetes.io/path: 'web.yaml', config.kubernetes.io/index: '0'}
  spec:
    containers: [{name: web, image: "${image}"}]
- {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: "1"}}
`;
const run = (input: string) => podgraft(['inject', '-f', '-'], { cwd, input });

test('injects the items of a ResourceList with its functionConfig, and keeps everything else', async () => {
  const input = list(CONFIG);
  const { code, stdout, stderr } = await run(input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(input.replace("index: '0'}", "index: '0', injected-by: my-webhook}"));
});

test('takes the configuration from a ConfigMap', async () => {
  const text =
    'apiVersion: podgraft.dev/v1alpha1\\nkind: Config\\ninjectors: [{name: a, use: metadata, with: {labels: {b: c}}}]';
  const { stdout } = await run(list(`{apiVersion: v1, kind: ConfigMap, data: {podgraft.yaml: "${text}"}}`));
  expect(parse(stdout).items[0].metadata.labels).toEqual({ b: 'c' });
});

test('reports errors as results, with resource and file, and keeps all items', async () => {
  writeFileSync(
    join(cwd, 'no.mjs'),
    `export default { name: 'no', summary: 'x', match: { kinds: ['Pod'] }, inject: () => ({ deny: 'not today' }) };\n`,
  );
  const { code, stdout } = await run(
    list(CONFIG.replace('use: metadata, with: {annotations: {injected-by: my-webhook}}', 'use: ./no.mjs')),
  );
  expect(code).toBe(1);
  const { items, results } = parse(stdout) as { items: unknown[]; results: unknown[] };
  expect(items).toHaveLength(2);
  expect(results).toEqual([
    {
      message: 'denied by injector "stamp": not today',
      severity: 'error',
      resourceRef: { apiVersion: 'v1', kind: 'Pod', name: 'web' },
      file: { path: 'web.yaml' },
    },
  ]);
});

test('an invalid functionConfig is an error that names the key', async () => {
  const { code, stderr } = await run(list(CONFIG.replace('use: metadata', 'use: metdata')));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: functionConfig: injectors.0.use: unknown injector "metdata", did you mean "metadata"?\n',
  });
});
