import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { parseConfigText } from '../../src/config/load-config.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { STAMP } from '../stamp.ts';
import { memoryLog, withRequest } from './fixtures.ts';

const metrics = createMetrics(new Set(['Pod']));
let server: RunningServer;
beforeAll(async () => {
  const { pipeline } = await parseConfigText(STAMP, 'test.yaml');
  const limits = { drainIdleMs: 50 };
  server = await startServer({
    pipeline,
    cluster: filesView([]),
    port: 0,
    metrics,
    log: memoryLog(),
    limits,
  });
});
afterAll(() => server.drain());

describe('pipelined requests', () => {
  test('are answered in order', async () => {
    const uids = Array.from({ length: 20 }, (_, index) => `uid-${index}`);
    const socket = await open();
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.write(uids.map((uid) => post(uid)).join(''));
    await expect.poll(() => [...text.matchAll(/"uid":"([^"]+)"/g)].map(([, uid]) => uid)).toEqual(uids);
    socket.destroy();
  });

  test('free their places if the connection breaks', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const socket = await open();
      socket.write(Array.from({ length: 20 }, () => post('uid')).join(''), () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    await expect.poll(() => server.inFlight()).toBe(0);
  });

  test('free their place if only a part was sent', async () => {
    const socket = await open();
    socket.write(post('one') + post('two').slice(0, -10));
    await expect.poll(() => server.inFlight()).toBe(1);
    socket.destroy();
    await expect.poll(() => server.inFlight()).toBe(0);
  });
});

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

function post(uid: string): string {
  const body = JSON.stringify(withRequest({ uid }));
  const head = ['POST /mutate HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  return [...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}
