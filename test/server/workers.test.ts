import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { podgraft, type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { review } from './fixtures.ts';

let folder: string;
let server: ServerProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), STAMP);
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(...args: string[]): Promise<ServerProcess> {
  const config = join(folder, 'podgraft.yaml');
  const started = await startProcess(['--config', config, '--workers', '2', ...args], { detached: true });
  server = started;
  const ready = () => fetch(`http://127.0.0.1:${started.metricsPort}/readyz`).then(({ status }) => status);
  await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  return started;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

describe('workers', { timeout: 60_000 }, () => {
  test('share one certificate and report its expiry', async () => {
    const { metricsPort } = await start('--self-signed');
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const [, seconds] = /expiry_timestamp_seconds\{certificate="serving"\} (\d+)/.exec(metrics) ?? [];
    const days = (Number(seconds) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8);
  });

  test('finish their requests if a terminal interrupts all of them', async () => {
    const port = await freePort();
    const { child } = await start('--http', '--port', String(port));
    const body = JSON.stringify(review);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const asked = request({ port, path: '/mutate', method: 'POST', headers });
    asked.write(body.slice(0, 10));
    // Until a worker has seen it.
    await sleep(500);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await sleep(500);
    asked.end(body.slice(10));
    const [answer] = await once(asked, 'response');
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('that cannot start are not restarted', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const args = ['--workers', '2', '--http', '--port', String(port), '--metrics-port', '0'];
    const { code, stderr } = await podgraft(['serve', ...args], { cwd: folder });
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toContain('EADDRINUSE');
  });
});
