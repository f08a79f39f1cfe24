import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { call, newPair, patchOf, withRequest } from './fixtures.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: mesh
    use: istio
    with: { demonstration: true }
  - name: logs
    use: filebeat
`;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  writeFileSync(
    join(folder, 'namespaces.yaml'),
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: team-a }\n',
  );
  const { cert, key } = newPair();
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  const cluster = join(folder, 'namespaces.yaml');
  server = await startProcess([
    '--config',
    join(folder, 'podgraft.yaml'),
    '--cluster',
    cluster,
    '--tls-dir',
    folder,
  ]);
});
afterAll(async () => {
  agent.destroy();
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

// Istio's renderings hold their Pods: without a bound on these, 64 workloads with 8 Pods of 0.57 MB took 475 MiB.
test.each<[string, Large]>([
  ['570 kB of text', { env: text(570_000) }],
  // Counted in characters, they took 2 MB each: more than 1 GB together.
  ['32,000 empty tolerations', { tolerations: Array.from({ length: 32_000 }, () => ({})) }],
  ['as many empty tolerations as are kept', { tolerations: Array.from({ length: 900 }, () => ({})) }],
  ['as much text as is kept', { env: text(30_000) }],
])('ever different Pods with %s do not fill the memory', { timeout: 300_000 }, async (_, large) => {
  let mostMemory = 0;
  for (let index = 0; index < 512; index++) {
    const answer = await call(server.port, '/mutate', JSON.stringify(podReview(index, large)), { agent });
    expect(patchOf(answer).length).toBeGreaterThan(5);
    mostMemory = Math.max(mostMemory, residentMemory());
  }
  expect(mostMemory).toBeLessThan(256);
});

// Each of thousands of warnings repeated the name, and a single Pod ended the process.
test('warnings about a container with a name of 1 MB do not fill the memory', {
  timeout: 100_000,
}, async () => {
  const limits = (value: string) => ({
    limits: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`hugepages-${index}Ki`, value])),
  });
  const container = { name: 'x'.repeat(1_000_000), resources: limits('2') };
  const review = podReview(0, { resources: limits('1') }, [container]);
  expect(
    patchOf(await call(server.port, '/mutate', JSON.stringify(review), { agent })).length,
  ).toBeGreaterThan(5);
  expect(residentMemory()).toBeLessThan(256);
});

function text(length: number) {
  return [{ name: 'TEXT', value: 'x'.repeat(length) }];
}

interface Large {
  readonly env?: readonly object[];
  readonly tolerations?: readonly object[];
  readonly resources?: object;
}

function podReview(index: number, { env = [], ...spec }: Large, more: readonly object[] = []) {
  const workload = index % 64;
  return withRequest({
    namespace: 'team-a',
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: `web-${workload}-`,
        labels: { 'sidecar.istio.io/inject': 'true', app: `web-${workload}`, index: `${index}` },
        annotations: { 'filebeat.enabled': 'true', 'filebeat.log-path': `/log/${index}/*.log` },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            name: `web-${workload}`,
            uid: `${workload}`,
            controller: true,
          },
        ],
      },
      spec: {
        ...spec,
        containers: [
          { name: 'web', image: 'nginx:1', env: [{ name: 'INDEX', value: `${index}` }, ...env] },
          ...more,
        ],
      },
    },
  });
}

/** In MiB. */
function residentMemory(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
