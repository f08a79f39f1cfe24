import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, type FakeApiServer, startFakeApiServer } from '../cluster/fake-api-server.ts';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { call, newPair, withRequest } from './fixtures.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: traces, use: opentelemetry}
`;

const folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
let api: FakeApiServer;
let server: ServerProcess;

beforeAll(async () => {
  api = await startFakeApiServer(({ path, query }, response) => {
    // Watches wait for changes, and Instrumentations are never answered.
    if (path.includes('/instrumentations/inst-')) return;
    if (query.has('watch')) return void response.writeHead(200).flushHeaders();
    const items = path.endsWith('/namespaces') ? [{ metadata: { name: 'team-a', uid: '1' } }] : [];
    answer(response, { kind: 'List', metadata: { resourceVersion: '1' }, items });
  });
  const kubeconfig = {
    clusters: [{ name: 'fake', cluster: { server: api.url } }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'c', context: { cluster: 'fake', user: 'me' } }],
    'current-context': 'c',
  };
  const { cert, key } = newPair();
  file('tls.crt', cert);
  file('tls.key', key);
  const options = ['--kubeconfig', file('kubeconfig', JSON.stringify(kubeconfig)), '--tls-dir', folder];
  server = await startProcess(['--config', file('podgraft.yaml', CONFIG), ...options]);
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await api.stop();
  rmSync(folder, { recursive: true });
});

let mostMemory: number;
let watch: NodeJS.Timeout;
beforeEach(() => {
  mostMemory = 0;
  watch = setInterval(() => {
    mostMemory = Math.max(mostMemory, residentMemory());
  }, 10);
});
afterEach(() => clearInterval(watch));

// Ten of them took more than 500 MiB, and 25 of the largest that are decided took 2 GiB.
describe('reviews that wait for objects', { timeout: 120_000 }, () => {
  test('keep only their bytes', async () => {
    await expect.poll(async () => (await call(server.port, '/readyz')).status).toBe(200);
    for (let turn = 0; turn < 3; turn++) {
      for (const { text } of await answersTo(20, 95_000)) expect(text).toContain('timed out');
    }
    expect(mostMemory).toBeLessThan(256);
  });

  test('are not parsed with 3 MiB of empty maps, which take 64 MiB', async () => {
    for (let turn = 0; turn < 3; turn++) {
      for (const { status, text } of await answersTo(10, 1_000_000))
        expect([status, text]).toEqual([413, 'the body has too many values\n']);
    }
    expect(mostMemory).toBeLessThan(256);
  });
});

let instrumentations = 0;

function answersTo(reviews: number, tolerations: number) {
  return Promise.all(
    Array.from({ length: reviews }, () =>
      call(server.port, '/mutate?timeout=10s', waitingReview(`inst-${instrumentations++}`, tolerations)),
    ),
  );
}

function waitingReview(instrumentation: string, tolerations: number): string {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      annotations: { 'instrumentation.opentelemetry.io/inject-java': instrumentation },
    },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }], tolerations: 'TOLERATIONS' },
  };
  const list = `[${'{},'.repeat(tolerations - 1)}{}]`;
  return JSON.stringify(withRequest({ namespace: 'team-a', object })).replace('"TOLERATIONS"', list);
}

/** In MiB. */
function residentMemory(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
