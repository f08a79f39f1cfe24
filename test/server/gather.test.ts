import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { builtin } from '../../src/kube/resource.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { defineInjector, type Injector } from '../../src/sdk/injector.ts';
import { skip } from '../../src/sdk/verdict.ts';
import { STAMP } from '../stamp.ts';
import { call, responseOf, review, type Server, serve } from './fixtures.ts';

const SERVICE_ACCOUNT = builtin('ServiceAccount');
const needsOne: Injector['needs'] = () => [{ ref: SERVICE_ACCOUNT, namespace: 'shop', name: 'till' }];
const body = JSON.stringify(review);

/** A server whose only injector needs what takes a while to be read. */
function serveNeedy(gather: () => Promise<void>, needs = needsOne): Promise<Server> {
  const injector = defineInjector({
    name: 'needy',
    summary: '',
    match: {},
    reads: () => [SERVICE_ACCOUNT],
    ...(needs && { needs }),
    inject: () => skip('has all it needs'),
  });
  return serve(STAMP, { pipeline: createPipeline([{ name: 'needy', injector }]), gather });
}

describe('a review that waits for what it needs', () => {
  let server: Server;
  afterEach(() => server.drain());
  const slowly = () => sleep(300);

  test('is answered afterwards, also when the server is stopped meanwhile', async () => {
    server = await serveNeedy(slowly);
    const agent = new Agent({ keepAlive: true });
    const asked = call(server.port, '/mutate', body, { agent });
    await expect.poll(() => server.metrics.inFlight).toBe(1);
    const drained = server.drain();
    const answer = await asked;
    expect(responseOf(answer)).toMatchObject({ allowed: true });
    expect(answer.headers.connection).toBe('close');
    await drained;
    expect(server.metrics.inFlight).toBe(0);
  });

  test('is not under way any more when it comes to nobody', async () => {
    server = await serveNeedy(slowly);
    const agent = new Agent();
    const asked = call(server.port, '/mutate', body, { agent }).catch(String);
    await expect.poll(() => server.metrics.inFlight).toBe(1);
    agent.destroy();
    expect(await asked).toContain('socket hang up');
    await expect.poll(() => server.metrics.inFlight).toBe(0);
  });

  test('fails when that cannot be read', async () => {
    server = await serveNeedy(() => Promise.reject(new Error('no such cluster')));
    const answer = await call(server.port, '/mutate', body);
    expect([answer.status, answer.text]).toEqual([500, 'no such cluster\n']);
    expect(server.metrics.inFlight).toBe(0);
  });

  test('fails with the name of the injector that cannot say what it needs', async () => {
    server = await serveNeedy(slowly, () => {
      throw new Error('who am I?');
    });
    const answer = await call(server.port, '/mutate', body);
    expect([answer.status, answer.text]).toEqual([500, 'Injector "needy" failed: who am I?\n']);
  });
});
