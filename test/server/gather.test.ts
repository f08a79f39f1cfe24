import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { builtin } from '../../src/kube/resource.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { defineInjector, type Injector } from '../../src/sdk/injector.ts';
import type { FailedRead } from '../../src/sdk/reads.ts';
import { skip } from '../../src/sdk/verdict.ts';
import type { ServerOptions } from '../../src/server/start-server.ts';
import { STAMP } from '../stamp.ts';
import { call, responseOf, review, type Server, serve } from './fixtures.ts';

const SERVICE_ACCOUNT = builtin('ServiceAccount');
const needsOne: Injector['needs'] = () => [{ ref: SERVICE_ACCOUNT, namespace: 'shop', name: 'till' }];
const body = JSON.stringify(review);

/** A server whose only injector needs an object that takes a while to read. */
function serveNeedy(
  gather: () => Promise<readonly FailedRead[]>,
  needs = needsOne,
  onError: 'fail' | 'skip' = 'fail',
  options: Partial<ServerOptions> = {},
): Promise<Server> {
  const injector = defineInjector({
    name: 'needy',
    summary: '',
    match: {},
    reads: () => [SERVICE_ACCOUNT],
    ...(needs && { needs }),
    inject: (_, { cluster }) =>
      skip(cluster.get(SERVICE_ACCOUNT, 'shop', 'till') === undefined ? 'no account' : 'an account'),
  });
  const pipeline = createPipeline([{ name: 'needy', injector, onError }]);
  return serve(STAMP, { pipeline, gather, ...options });
}

describe('a review that waits for objects', () => {
  let server: Server;
  afterEach(() => server.drain());
  const slowly = () => sleep(300, []);

  test('is answered, even if the server is stopped meanwhile', async () => {
    server = await serveNeedy(slowly);
    const agent = new Agent({ keepAlive: true });
    const asked = call(server.port, '/mutate', body, { agent });
    await expect.poll(() => server.inFlight()).toBe(1);
    const drained = server.drain();
    const answer = await asked;
    expect(responseOf(answer)).toMatchObject({ allowed: true });
    expect(answer.headers.connection).toBe('close');
    await drained;
    expect(server.inFlight()).toBe(0);
  });

  test('frees its place if the caller disconnects', async () => {
    server = await serveNeedy(slowly);
    const agent = new Agent();
    const asked = call(server.port, '/mutate', body, { agent }).catch(String);
    await expect.poll(() => server.inFlight()).toBe(1);
    agent.destroy();
    expect(await asked).toContain('socket hang up');
    await expect.poll(() => server.inFlight()).toBe(0);
  });

  test('is known to the watchdog while `needs` and `inject` run, and not between them', async () => {
    const seen: string[] = [];
    const stage = (injector: string, { uid }: { uid: string }) => seen.push(`${injector} ${uid}`);
    const record = (what: string) => () => seen.push(what);
    const shared = new SharedArrayBuffer(0);
    const progress = {
      shared,
      beat: record('beat'),
      stage,
      idle: record('idle'),
      setInjectors: record('injectors'),
    };
    server = await serveNeedy(slowly, needsOne, 'fail', { progress });
    await call(server.port, '/mutate', body);
    const needy = `needy ${review.request.uid}`;
    expect(seen).toEqual(['beat', needy, 'idle', 'beat', needy, 'idle']);
  });

  test('gives way if its peer holds all places', async () => {
    let finish = (_: readonly FailedRead[]) => {};
    const reading = new Promise<readonly FailedRead[]>((resolve) => {
      finish = resolve;
    });
    const limits = { concurrentReviews: 4, drainIdleMs: 50 };
    server = await serveNeedy(() => reading, needsOne, 'fail', { limits });
    const greedy = Array.from({ length: 4 }, () => call(server.port, '/mutate', body));
    await expect.poll(() => server.inFlight()).toBe(4);
    const others = Array.from({ length: 2 }, () => call(server.port, '/mutate', body, { from: '127.0.0.2' }));
    await expect.poll(() => server.inFlight()).toBe(6);
    const refused = await Promise.all([
      call(server.port, '/mutate', body),
      call(server.port, '/mutate', body, { from: '127.0.0.2' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    finish([]);
    const statuses = async (calls: typeof greedy) => (await Promise.all(calls)).map(({ status }) => status);
    expect((await statuses(greedy)).sort()).toEqual([200, 200, 429, 429]);
    expect(await statuses(others)).toEqual([200, 200]);
    await expect.poll(() => server.inFlight()).toBe(0);
  });

  test('fails if they cannot be read', async () => {
    server = await serveNeedy(() => Promise.reject(new Error('no such cluster')));
    const answer = await call(server.port, '/mutate', body);
    expect([answer.status, answer.text]).toEqual([500, 'no such cluster\n']);
    expect(server.inFlight()).toBe(0);
  });

  const failing = async () => [
    { need: { ref: SERVICE_ACCOUNT, namespace: 'shop', name: 'till' }, reason: 'forbidden' },
  ];
  const failure = 'Injector "needy" failed: Cannot read ServiceAccount "shop/till": forbidden';

  test('fails if an object could not be read, which is not the same as a missing one', async () => {
    server = await serveNeedy(failing);
    const answer = await call(server.port, '/mutate', body);
    expect([answer.status, answer.text]).toEqual([500, `${failure}\n`]);
  });

  test('warns instead with onError: skip', async () => {
    server = await serveNeedy(failing, needsOne, 'skip');
    expect(responseOf(await call(server.port, '/mutate', body))).toMatchObject({
      allowed: true,
      warnings: [`${failure}; it was skipped`],
      auditAnnotations: { decisions: 'needy=failed' },
    });
  });

  test('names the injector whose needs() throws', async () => {
    server = await serveNeedy(slowly, () => {
      throw new Error('who am I?');
    });
    const answer = await call(server.port, '/mutate', body);
    expect([answer.status, answer.text]).toEqual([500, 'Injector "needy" failed: who am I?\n']);
  });
});
