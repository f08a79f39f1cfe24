import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { STAMP } from '../stamp.ts';
import { postReview, review, type Server, serve } from './fixtures.ts';

/** Silent connections would end by themselves. */
const PATIENT = { headersMs: 120_000, requestMs: 120_000, drainIdleMs: 50 };

let server: Server;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.drain();
});

async function openSilently(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
  }
}

const stillOpen = () => sockets.filter(({ closed }) => !closed).length;

test('beyond the limit the oldest silent connections end, and reviews are answered', async () => {
  server = await serve(STAMP, { limits: { ...PATIENT, connections: 20 } });
  await openSilently(60);
  await expect.poll(stillOpen).toBeLessThanOrEqual(20);
  expect(sockets.slice(0, 40).every(({ closed }) => closed)).toBe(true);
  expect((await postReview(server, review)).status).toBe(200);
});

test('without the limit, all of them would stay open', async () => {
  server = await serve(STAMP, { limits: { ...PATIENT, connections: 1000 } });
  await openSilently(60);
  expect((await postReview(server, review)).status).toBe(200);
  expect(stillOpen()).toBe(60);
});
