import { connect, type TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { STAMP } from '../stamp.ts';
import { review, type Server, serve } from './fixtures.ts';

let server: Server;
afterEach(() => server.drain());

const body = JSON.stringify(review);
const request = `POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Sends a review and resolves when it is answered; the connection stays open. */
async function ask(socket: TLSSocket): Promise<string> {
  socket.write(request);
  return new Promise((resolve) => socket.once('data', (data: Buffer) => resolve(String(data))));
}

test('a connection that is idle after its answer ends, and one that is used goes on', async () => {
  server = await serve(STAMP, { limits: { keepAliveMs: 1000, drainIdleMs: 50 } });
  const open = () => connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  const [idle, used] = [open(), open()];
  const ended = new Promise<number>((resolve) => idle.once('close', () => resolve(performance.now())));
  idle.resume();
  const start = performance.now();
  expect(await ask(idle)).toContain('200 OK');
  for (let turn = 0; turn < 8; turn++) {
    expect(await ask(used)).toContain('200 OK');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect((await ended) - start).toBeGreaterThan(900);
  expect([idle.destroyed, used.destroyed]).toEqual([true, false]);
  used.destroy();
});
