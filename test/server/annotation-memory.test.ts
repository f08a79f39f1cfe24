import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { withRequest } from './fixtures.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: logs
    use: filebeat
`;

let folder: string;
let server: ServerProcess;
let socket: Socket;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  server = await startProcess(['--config', join(folder, 'podgraft.yaml'), '--http']);
  socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
});
afterEach(async () => {
  socket.destroy();
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

// The parsed annotations of Pods are cached. Without a bound on their number, 60,000 Pods took 415 MiB.
test('60,000 Pods with different annotations do not fill the memory', { timeout: 200_000 }, async () => {
  // Just short enough to be cached.
  expect(await mostMemory({ pods: 60_000, annotationLength: 3900, pipelined: 50 })).toBeLessThan(256);
});

// A bound on their number alone would allow 1,000 annotations of any size.
test('1,000 Pods with large annotations do not fill the memory', { timeout: 200_000 }, async () => {
  // Just short enough for the Pod to be injected.
  expect(await mostMemory({ pods: 1000, annotationLength: 250_000, pipelined: 2 })).toBeLessThan(256);
});

interface Flood {
  readonly pods: number;
  readonly annotationLength: number;
  /** Concurrent requests, so that the client takes little of the time. */
  readonly pipelined: number;
}

/** Has Pods injected, and returns the largest resident memory of the server, in MiB. */
async function mostMemory({ pods, annotationLength, pipelined }: Flood): Promise<number> {
  const padding = 'x'.repeat(annotationLength);
  let most = 0;
  for (let first = 0; first < pods; first += pipelined) {
    const requests = Array.from({ length: pipelined }, (_, at) => requestFor(first + at, padding));
    const responses = await answersTo(requests);
    expect(responses.match(/"patch":/g)).toHaveLength(pipelined);
    most = Math.max(most, residentMemory());
  }
  return most;
}

function requestFor(index: number, padding: string): string {
  const annotations = {
    'filebeat.enabled': 'true',
    'filebeat.log-path': `/log/${index}/*.log`,
    'filebeat.padding': padding,
  };
  const spec = { containers: [{ name: 'web', image: 'nginx:1' }] };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations }, spec };
  const body = JSON.stringify(withRequest({ object }));
  return `POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function answersTo(requests: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const receive = (chunk: string) => {
      text += chunk;
      const heads = text.split('HTTP/1.1 ').length - 1;
      if (heads < requests.length || !text.endsWith('}')) return;
      socket.off('data', receive).off('close', reject);
      resolve(text);
    };
    socket.on('data', receive).on('close', reject);
    socket.write(requests.join(''));
  });
}

function residentMemory(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
