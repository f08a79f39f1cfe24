import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { review, withRequest } from './fixtures.ts';

const LIMIT = 2;

/** An injector that does not return for Pods with the annotation `loop`. */
const LOOP = `import { execSync } from 'node:child_process';
export default {
  name: 'loop',
  summary: 'does not return',
  match: {},
  inject(pod) {
    const how = pod.metadata.annotations?.loop;
    if (how === 'catch') for (;;) try { JSON.parse('{'); } catch {}
    if (how === 'pattern') /^(a+)+$/.test('a'.repeat(100) + 'b');
    if (how === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (how === 'program') execSync('sleep 8');
    if (how === 'short') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    if (how !== undefined && how !== 'short') for (;;);
    return { skip: 'nothing to do' };
  },
};
`;
const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: my-webhook}}}
  - {name: endless, use: ./loop.mjs}
`;

let folder: string;
let server: ServerProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-test-'));
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  writeFileSync(join(folder, 'loop.mjs'), LOOP);
});
afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(...args: string[]): Promise<void> {
  const config = join(folder, 'podgraft.yaml');
  server = await startProcess(['--config', config, '--http', '--watchdog', String(LIMIT), ...args]);
}

describe('a review that blocks the event loop', { timeout: 60_000 }, () => {
  test.each(['plainly', 'catch', 'pattern', 'wait'])(
    'ends the process, and the log names the review, the injector and the line: %s',
    async (how) => {
      await start();
      const begin = performance.now();
      void mutate(server.port, how);
      expect(await once(server.child, 'exit')).toEqual([70, null]);
      expect(performance.now() - begin).toBeLessThan((LIMIT + 3) * 1000);
      const line =
        server
          .output()
          .split('\n')
          .find((text) => text.includes('event loop blocked')) ?? '';
      expect(JSON.parse(line)).toMatchObject({
        level: 'fatal',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        uid: review.request.uid,
        injector: 'endless',
        seconds: expect.closeTo(LIMIT, 0),
        stack: expect.stringMatching(/^at inject \(.*loop\.mjs:\d+\)/),
        msg: 'event loop blocked, ending the process',
      });
    },
  );

  test('in native code, where JavaScript cannot be paused, ends the process by a signal', async () => {
    await start();
    void mutate(server.port, 'program');
    expect(await once(server.child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(server.output()).toMatch(/"uid":".*"injector":"endless".*"msg":"event loop blocked/);
  });

  test('is seen by probes of the metrics port before the process ends', async () => {
    await start();
    expect(await probe('/healthz')).toEqual([200, 'ok\n']);
    expect(await probe('/readyz')).toEqual([200, 'ok\n']);
    expect((await probe('/metrics'))[1]).toContain('podgraft_reviews_in_flight 0');
    void mutate(server.port, 'plainly');
    await expect
      .poll(() => probe('/healthz'))
      .toEqual([503, expect.stringContaining('event loop is blocked:')]);
    expect(await probe('/readyz')).toEqual([503, expect.stringContaining('event loop is blocked:')]);
    expect(await once(server.child, 'exit')).toEqual([70, null]);
  });

  test('for less than the limit does no harm, nor do many of them in a row', async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 6 }, () => mutate(server.port, 'short')));
    expect(answers).toEqual(Array(6).fill(200));
    expect(server.output()).not.toContain('blocked');
  });

  test('continues with --watchdog 0', async () => {
    await start('--watchdog', '0');
    void mutate(server.port, 'plainly');
    await sleep(LIMIT * 1000 + 1500);
    expect(server.child.exitCode).toBe(null);
    expect(await probe('/healthz')).toEqual([200, 'ok\n']);
  });

  test('ends one of several workers: another answers meanwhile, and it is restarted and counted', async () => {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    await start('--workers', '2', '--port', String(port), '--watchdog', '4');
    await expect.poll(() => probe('/readyz')).toEqual([200, 'ok\n']);
    void mutate(port, 'plainly');
    await sleep(200);
    const answers = await Promise.all(
      Array.from({ length: 11 }, async () => {
        const status = await mutate(port, undefined, 2000);
        return status === 200 && !server.output().includes('worker ended');
      }),
    );
    // The primary hands each worker one connection, before it knows that the worker is blocked.
    expect(answers.filter(Boolean).length).toBeGreaterThanOrEqual(10);
    expect(await probe('/healthz')).toEqual([200, 'ok\n']);
    await expect.poll(server.output).toMatch(/"code":70.*"reason":"blocked".*"msg":"worker ended"/);
    expect(server.output()).toMatch(/"injector":"endless".*"msg":"event loop blocked/);
    await expect.poll(() => probe('/readyz')).toEqual([200, 'ok\n']);
    expect((await probe('/metrics'))[1]).toContain('podgraft_workers_ended_total{reason="blocked"} 1');
  });
});

test('a process that was stopped and continued is not ended', async () => {
  await start();
  server.child.kill('SIGSTOP');
  await sleep(LIMIT * 1000 + 1000);
  server.child.kill('SIGCONT');
  await sleep(1000);
  expect(await mutate(server.port)).toBe(200);
  expect(server.output()).not.toContain('blocked');
});

/** Posts a review; returns its status, or the error of a server that has ended. */
async function mutate(port: number, loop?: string, milliseconds = 30_000): Promise<number | string> {
  const object = structuredClone(review.request.object) as { metadata: { annotations?: object } };
  if (loop !== undefined) object.metadata.annotations = { loop };
  const answer = await fetch(`http://127.0.0.1:${port}/mutate?timeout=30s`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify(withRequest({ object })),
    signal: AbortSignal.timeout(milliseconds),
  }).catch(String);
  return typeof answer === 'string' ? answer : answer.status;
}

async function probe(path: string): Promise<[number, string]> {
  const answer = await fetch(`http://127.0.0.1:${server.metricsPort}${path}`);
  return [answer.status, await answer.text()];
}
