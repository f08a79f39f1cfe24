import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { call, newPair, patchOf, review, withRequest } from './fixtures.ts';

const MEBIBYTE = 1024 * 1024;
const body = JSON.stringify(review);
const CONFIG = `${STAMP}  - name: large
    use: overlay
    match: {conditions: ["object.spec.containers.size() == 150"]}
    with: {overlay: {spec: {containers: [{name: "*", env: [{name: TEXT, value: "${'x'.repeat(20_000)}"}]}]}}}
`;
let folder: string;
let server: ServerProcess;
let watch: NodeJS.Timeout;
let mostMemory = 0;
let sockets: Socket[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  const { cert, key } = newPair();
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  server = await startProcess(['--config', join(folder, 'podgraft.yaml'), '--tls-dir', folder]);
  mostMemory = 0;
  watch = setInterval(() => {
    mostMemory = Math.max(mostMemory, statusOf('VmRSS') / 1024);
  }, 20);
  sockets = [];
});
afterEach(async () => {
  clearInterval(watch);
  for (const socket of sockets) socket.destroy();
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

// All from the address that the reviews come from, the hardest case: limits per peer do not help.
describe('without a client certificate', { timeout: 120_000 }, () => {
  test('60 unfinished bodies of 6.9 MiB exhaust neither memory nor the review limit', async () => {
    const part = Buffer.alloc(6.9 * MEBIBYTE, ' ');
    for (let index = 0; index < 60; index++) {
      sendHead(7 * MEBIBYTE).write(part);
      if (index % 10 === 0) await expectAnswer();
    }
    for (let turn = 0; turn < 20; turn++) {
      await expectAnswer();
      await sleep(50);
    }
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThan(50);
    expect(mostMemory).toBeLessThan(256);
  });

  test('1,500 unfinished bodies do not block other reviews', async () => {
    for (let index = 0; index < 1500; index++) {
      sendHead(1000).write('{');
      if (index % 50 === 0) await expectAnswer();
    }
    await expect.poll(() => openConnections()).toBeGreaterThan(1000);
    for (let turn = 0; turn < 20; turn++) await expectAnswer();
    expect(mostMemory).toBeLessThan(256);
  });

  test('a body in millions of chunks of one byte takes no more memory than in one chunk', async () => {
    const head = 'Transfer-Encoding: chunked';
    for (let index = 0; index < 4; index++) {
      const socket = sendHead(head);
      for (let part = 0; part < 15; part++) {
        socket.write('1\r\n \r\n'.repeat(100_000));
        await sleep(5);
      }
    }
    const isSent = () => sockets.every(({ writableLength }) => writableLength === 0);
    await expect.poll(isSent, { timeout: 100_000 }).toBe(true);
    await expectAnswer();
    expect(mostMemory).toBeLessThan(256);
  });

  // They took 2.4 GB. What remains is mostly garbage, since each is in memory as JSON, in base64 and encrypted: the chart's limit is 512 MiB.
  test('200 answers of 4 MiB that nobody reads are dropped, and other reviews are answered', async () => {
    const containers = Array.from({ length: 150 }, (_, index) => ({ name: `c${index}`, image: 'a' }));
    const object = { ...(review.request.object as object), spec: { containers } };
    const large = JSON.stringify(withRequest({ object }));
    for (let index = 0; index < 200; index++) {
      sendHead(large.length).pause().write(large);
      if (index % 10 === 0) await expectAnswer();
    }
    await expect.poll(openConnections).toBeLessThan(10);
    for (let turn = 0; turn < 10; turn++) await expectAnswer();
    expect(mostMemory).toBeLessThan(512);
  });

  // Each took about 50 KiB, and none of them ended: 551 MiB.
  test('10,000 silent TCP connections are capped, others are still answered, and all of them end', async () => {
    let connected = 0;
    let most = 0;
    for (let index = 0; index < 10_000; index++) {
      open(connectTcp(server.port, '127.0.0.1', () => connected++));
      if (index % 100 !== 0) continue;
      await expectAnswer();
      most = Math.max(most, openConnections());
    }
    for (let turn = 0; turn < 10; turn++) await expectAnswer();
    await expect.poll(() => connected).toBe(10_000);
    expect(most).toBeLessThanOrEqual(2100);
    expect(mostMemory).toBeLessThan(256);
    await expect.poll(openConnections, { timeout: 20_000 }).toBeLessThan(10);
  });

  test('connections that never send a request end', async () => {
    for (let index = 0; index < 100; index++) {
      open(connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }));
    }
    await expect.poll(openConnections).toBeGreaterThan(90);
    await expect.poll(openConnections, { timeout: 20_000 }).toBeLessThan(10);
  });

  test('all attacks at once', async () => {
    const part = Buffer.alloc(6.9 * MEBIBYTE, ' ');
    for (let index = 0; index < 2000; index++) {
      if (index % 50 === 0) sendHead(7 * MEBIBYTE).write(part);
      else if (index % 2 === 0) sendHead(1000).write('{');
      else open(connectTcp(server.port, '127.0.0.1'));
      if (index % 100 === 0) await expectAnswer();
    }
    for (let turn = 0; turn < 10; turn++) await expectAnswer();
    expect(mostMemory).toBeLessThan(256);
  });
});

async function expectAnswer(): Promise<void> {
  const answer = await call(server.port, '/mutate?timeout=10s', body);
  expect([answer.status, answer.status === 200 && patchOf(answer).length]).toEqual([200, 1]);
}

function sendHead(length: number | string): Socket {
  const socket = open(connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false }));
  const framing = typeof length === 'number' ? `Content-Length: ${length}` : length;
  socket.write(`POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
  return socket;
}

function open<T extends Socket>(socket: T): T {
  socket.on('error', () => {});
  socket.resume();
  sockets.push(socket);
  return socket;
}

/** A field of the server's process, in its unit. */
function statusOf(field: string): number {
  const text = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]);
}

/** Connections that the server has accepted and not closed. */
function openConnections(): number {
  const port = server.port.toString(16).toUpperCase().padStart(4, '0');
  const established = new RegExp(`^ *\\d+: \\S+:${port} \\S+ 01 .*`, 'gm');
  return ['tcp', 'tcp6']
    .map((table) => readFileSync(`/proc/${server.child.pid}/net/${table}`, 'utf8').match(established))
    .reduce((sum, found) => sum + (found?.length ?? 0), 0);
}
