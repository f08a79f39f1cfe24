import { mkdirSync as mkdirs, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyPair } from '../../src/server/tls-source.ts';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { call, clientPair, newPair, responseOf, review, trusted } from './fixtures.ts';

const body = JSON.stringify(review);
let folder: string;
let started: ServerProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  started = [];
  writeFileSync(join(folder, 'podgraft.yaml'), STAMP);
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop('SIGKILL')));
  rmSync(folder, { recursive: true });
});

/** Like a Secret mounted by the kubelet: files are links into `..data`, a link that is swapped. */
function mountSecret(pair: KeyPair, version: number): string {
  const mount = join(folder, 'tls');
  const data = join(mount, `..v${version}`);
  if (version === 1) {
    mkdirs(mount);
    for (const file of ['tls.crt', 'tls.key']) symlinkSync(join('..data', file), join(mount, file));
  }
  mkdirs(data);
  writeFileSync(join(data, 'tls.crt'), pair.cert);
  writeFileSync(join(data, 'tls.key'), pair.key);
  symlinkSync(`..v${version}`, join(mount, '..data_tmp'));
  renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
  return mount;
}

async function start(...args: string[]): Promise<ServerProcess> {
  const server = await startProcess(['--config', join(folder, 'podgraft.yaml'), ...args]);
  started.push(server);
  return server;
}

/** Clients that post as fast as they can, over keep-alive connections, until stopped. */
function load(clients: number, ports: () => readonly number[]) {
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  let running = true;
  let answered = 0;
  const failures: unknown[] = [];
  const work = agents.map(async (agent, index) => {
    for (let turn = index; running; turn++) {
      const open = ports();
      const port = open[turn % open.length];
      if (port === undefined) break;
      try {
        const answer = await call(port, '/mutate?timeout=10s', body, { agent });
        if (responseOf(answer).patch === undefined) failures.push(answer);
        answered++;
      } catch (error) {
        // The port is closed, which a load balancer would have noticed: the request was never sent.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') failures.push(error);
        else await sleep(5);
      }
    }
    agent.destroy();
  });
  return {
    answered: () => answered,
    async stop() {
      running = false;
      await Promise.all(work);
      return { answered, failures };
    },
  };
}

describe('the certificate', () => {
  test('is reloaded under load when a mounted Secret is swapped, without a failed request', async () => {
    const [first, second] = [newPair(), newPair()];
    const mount = mountSecret(first, 1);
    const server = await start('--tls-dir', mount);
    expect(await servedBy(server.port)).toBe(first.cert);

    const clients = load(4, () => [server.port]);
    await expect.poll(clients.answered).toBeGreaterThan(20);
    mountSecret(second, 2);
    await expect.poll(() => servedBy(server.port), { timeout: 5000 }).toBe(second.cert);
    const before = clients.answered();
    await expect.poll(clients.answered).toBeGreaterThan(before + 20);
    expect((await clients.stop()).failures).toEqual([]);
  });

  test('stays in use if the new one is invalid', async () => {
    const first = newPair();
    const mount = mountSecret(first, 1);
    const server = await start('--tls-dir', mount);
    mountSecret({ cert: newPair().cert, key: newPair().key }, 2);
    await expect.poll(server.output, { timeout: 5000 }).toContain('certificate not reloaded');
    expect(await servedBy(server.port)).toBe(first.cert);
  });

  test('is served over TLS 1.3, or 1.2 with the flag', async () => {
    const mount = mountSecret(newPair(), 1);
    const strict = await start('--tls-dir', mount);
    await expect(handshake(strict.port, 'TLSv1.2')).rejects.toThrow(/protocol version/);
    const lenient = await start('--tls-dir', mount, '--tls-min-version', '1.2');
    await expect(handshake(lenient.port, 'TLSv1.2')).resolves.toBe('TLSv1.2');
  });

  test('of the caller is required with --client-ca, except for probes', async () => {
    const mount = mountSecret(newPair(), 1);
    writeFileSync(join(folder, 'ca.crt'), trusted);
    const server = await start(
      '--tls-dir',
      mount,
      '--client-ca',
      join(folder, 'ca.crt'),
      '--client-name',
      'apiserver',
    );
    expect((await call(server.port, '/readyz')).status).toBe(200);
    expect((await call(server.port, '/mutate', body)).status).toBe(403);
    expect((await call(server.port, '/mutate', body, { cert: clientPair('other') })).status).toBe(403);
    expect((await call(server.port, '/mutate', body, { cert: clientPair('apiserver') })).status).toBe(200);
  });
});

describe('SIGTERM', () => {
  test('fails readiness at once, finishes requests with Connection: close, and exits 0', async () => {
    const server = await start('--tls-dir', mountSecret(newPair(), 1), '--drain-delay', '1');
    const agent = new Agent({ keepAlive: true });
    expect((await call(server.port, '/mutate', body, { agent })).headers.connection).toBe('keep-alive');
    const ended = server.stop('SIGTERM');
    await expect.poll(async () => (await call(server.port, '/readyz')).status).toBe(503);
    const last = await call(server.port, '/mutate', body, { agent });
    expect([last.status, last.headers.connection]).toEqual([200, 'close']);
    expect(await ended).toBe(0);
  });

  test('without a delay accepts no new connections, and still answers on open ones', async () => {
    const server = await start('--tls-dir', mountSecret(newPair(), 1));
    const agent = new Agent({ keepAlive: true });
    expect((await call(server.port, '/mutate', body, { agent })).headers.connection).toBe('keep-alive');
    const ended = server.stop('SIGTERM');
    const knock = () => call(server.port, '/readyz').then(String, (error: Error) => error.message);
    await expect.poll(knock).toContain('ECONNREFUSED');
    const last = await call(server.port, '/mutate', body, { agent });
    expect([last.status, last.headers.connection]).toEqual([200, 'close']);
    expect(await ended).toBe(0);
  });

  test('under load loses no request', async () => {
    const mount = mountSecret(newPair(), 1);
    const servers = [await start('--tls-dir', mount), await start('--tls-dir', mount)];
    let ports = servers.map(({ port }) => port);
    const clients = load(8, () => ports);
    await expect.poll(clients.answered).toBeGreaterThan(50);
    expect(await servers[0]?.stop('SIGTERM')).toBe(0);
    ports = ports.slice(1);
    const before = clients.answered();
    await expect.poll(clients.answered).toBeGreaterThan(before + 50);
    const { failures } = await clients.stop();
    expect(failures).toEqual([]);
  });
});

test('--workers share the port, aggregate their metrics, and drain together', {
  timeout: 60_000,
}, async () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = await start(
    '--tls-dir',
    mountSecret(newPair(), 1),
    '--workers',
    '2',
    '--port',
    String(port),
  );
  const ready = () => fetch(`http://127.0.0.1:${server.metricsPort}/readyz`).then(({ status }) => status);
  await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  for (let turn = 0; turn < 10; turn++) expect((await call(port, '/mutate', body)).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/podgraft_reviews_total\{.*injector="stamp".*\} 10\n/);
  const clients = load(4, () => [port]);
  await expect.poll(clients.answered).toBeGreaterThan(20);
  const code = server.stop('SIGTERM');
  const { failures } = await clients.stop();
  expect(failures).toEqual([]);
  expect(await code).toBe(0);
});

function servedBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: trusted }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.end();
      const lines = raw.toString('base64').match(/.{1,64}/g) ?? [];
      resolve(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`);
    });
    socket.once('error', reject);
  });
}

function handshake(port: number, maxVersion: 'TLSv1.2'): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: trusted, maxVersion }, () => {
      resolve(socket.getProtocol());
      socket.end();
    });
    socket.once('error', reject);
  });
}
