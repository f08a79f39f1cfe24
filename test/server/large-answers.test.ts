import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { withRequest } from './fixtures.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: medium, use: metadata, match: {names: [medium]}, with: {annotations: {a: "${'a'.repeat(30_000)}"}}}
  - {name: large, use: metadata, match: {names: [large]}, with: {annotations: {a: "${'a'.repeat(200_000)}"}}}
`;

const folder = mkdtempSync(join(tmpdir(), 'podgraft-large-'));
// Another process: it must read a request before it knows that its last answer has been sent.
let server: ServerProcess;
beforeAll(async () => {
  const config = join(folder, 'podgraft.yaml');
  writeFileSync(config, CONFIG);
  server = await startProcess(['--self-signed', '--config', config]);
});
afterAll(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

test.each([
  ['medium', 40_000, 1],
  ['large', 266_000, 100],
])(
  'large reviews are answered one after another, also after %s answers',
  async (name, bytes, connections) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const note = 'x'.repeat(150_000);
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { note: 'x' } },
      spec: { containers: [{ name: 'app', image: 'app', env: [{ name: 'NOTE', value: note }] }] },
    };
    const body = JSON.stringify(withRequest({ name, object }));
    const ports = new Set<number | undefined>();
    for (let count = 0; count < 100; count++) {
      const { status, size, port } = await post(body, agent);
      expect({ count, status }).toEqual({ count, status: 200 });
      expect(size).toBeGreaterThan(bytes);
      ports.add(port);
    }
    expect(ports.size).toBe(connections);
    agent.destroy();
  },
);

function post(body: string, agent: Agent) {
  return new Promise<{ status: number | undefined; size: number; port: number | undefined }>(
    (resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
      const options = { port: server.port, path: '/mutate', method: 'POST', headers, agent };
      const call = request(options, (response) => {
        const { localPort: port } = response.socket;
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        response.on('end', () => resolve({ status: response.statusCode, size, port }));
      });
      call.on('error', reject);
      call.end(body);
    },
  );
}
