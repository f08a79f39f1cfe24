import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: mesh, use: istio}
`;

const configMap = (template: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: istio-sidecar-injector, namespace: istio-system}
data:
  values: "{}"
  config: |
    policy: enabled
    templates:
      sidecar: |
        spec:
          containers: [{name: istio-proxy, image: "${template}"}]
`;

let folder: string;
let server: ServerProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

function startWith(template: string, ...args: string[]): Promise<ServerProcess> {
  const cluster = join(folder, 'cluster.yaml');
  writeFileSync(cluster, configMap(template));
  return startProcess(['--config', join(folder, 'podgraft.yaml'), '--http', '--cluster', cluster, ...args]);
}

async function readiness(template: string): Promise<string> {
  server = await startWith(template);
  return (await fetch(`http://127.0.0.1:${server.port}/readyz`)).text();
}

test('a template that cannot be rendered shows in readiness before the first review', async () => {
  const text = await readiness('{{ .NoSuch }}');
  expect(text).toContain('ok\nmesh: ');
  expect(text).toContain('sidecar:2:');
});

test('a valid template does not', async () => {
  expect(await readiness('{{ .ProxyImage }}')).toBe('ok\n');
});

test('problems of several workers are shown once on the primary', { timeout: 60_000 }, async () => {
  server = await startWith('{{ .NoSuch }}', '--workers', '2');
  const { metricsPort } = server;
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).text();
  await expect.poll(() => get('/readyz'), { timeout: 20_000 }).toContain('ok\n');
  expect((await get('/readyz')).match(/mesh: /g)).toHaveLength(1);
  expect(await get('/metrics')).toContain('podgraft_injector_problems{injector="mesh"} 1\n');
});

test('a missing file of policies shows until it is there', async () => {
  const policies = join(folder, 'policies.yaml');
  const use = `{name: policies, use: admission-policy, with: {files: [${JSON.stringify(policies)}]}}`;
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG.replace(/\{.*\}/, use));
  server = await startProcess(['--config', join(folder, 'podgraft.yaml'), '--http']);
  const { port } = server;
  const readyz = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
  const message = `"${policies}" does not exist or has never been valid: its policies are not run`;
  expect(await readyz()).toBe(`ok\npolicies: ${message}\n`);
  writeFileSync(policies, '');
  await expect.poll(readyz).toBe('ok\n');
});
