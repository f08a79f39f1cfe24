import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { defineInjector } from '../../src/sdk/injector.ts';
import { deny, overlay } from '../../src/sdk/verdict.ts';
import { STAMP } from '../stamp.ts';
import { type Answer, call, patchOf, responseOf, type Server, serve, withRequest } from './fixtures.ts';

/** Treats a Pod by its name. */
const obedient = defineInjector({
  name: 'obedient',
  summary: '',
  match: {},
  inject: (_object, { request }) => {
    if (request.name.startsWith('throw')) throw new Error(`no ${request.name}`);
    if (request.name.startsWith('deny')) return deny(`not ${request.name}`);
    return overlay({ metadata: { annotations: { asked: request.uid } } });
  },
});

/** A fixed mixture: of five reviews one is invalid, one fails, one is denied. */
const KINDS = ['graft', 'garbage', 'throw', 'deny', 'graft'] as const;

describe('reviews that arrive together', () => {
  let server: Server;
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  beforeAll(async () => {
    const pipeline = createPipeline([{ name: 'obedient', injector: obedient }]);
    server = await serve(STAMP, { pipeline });
  });
  afterAll(async () => {
    agent.destroy();
    await server.drain();
  });

  test('each gets its own answer, even if others fail', async () => {
    const asked = Array.from({ length: 250 }, (_, index) => ({
      uid: `uid-${index}`,
      kind: KINDS[index % KINDS.length] as (typeof KINDS)[number],
    }));
    const answers = await Promise.all(asked.map(({ uid, kind }) => ask(uid, kind)));
    for (const [index, { uid, kind }] of asked.entries()) {
      expect(outcomeOf(answers[index] as Answer), `${kind} ${uid}`).toEqual(expectedOf(uid, kind));
    }
    const counted = await server.metrics.registry.metrics();
    expect(counted).toContain('podgraft_rejected_requests_total{reason="bad_review"} 50');
    expect(counted).toContain(
      'podgraft_rejected_requests_total{reason="injector_failed",injector="obedient"} 50',
    );
    await expect.poll(() => server.inFlight()).toBe(0);
  });

  function ask(uid: string, kind: (typeof KINDS)[number]): Promise<Answer> {
    const body =
      kind === 'garbage' ? '{"kind":' : JSON.stringify(withRequest({ uid, name: `${kind}-${uid}` }));
    return call(server.port, '/mutate', body, { agent });
  }
});

function outcomeOf(answer: Answer): unknown {
  if (answer.status !== 200) return { status: answer.status, text: answer.text };
  const { uid, allowed, status } = responseOf(answer);
  const { message } = (status ?? {}) as { message?: string };
  return { status: 200, uid, allowed, ...(message !== undefined && { message }), patch: patchOf(answer) };
}

function expectedOf(uid: string, kind: (typeof KINDS)[number]): unknown {
  switch (kind) {
    case 'garbage':
      return { status: 400, text: expect.stringContaining('not JSON') };
    case 'throw':
      return { status: 500, text: expect.stringContaining(`no throw-${uid}`) };
    case 'deny':
      return {
        status: 200,
        uid,
        allowed: false,
        message: expect.stringContaining(`not deny-${uid}`),
        patch: [],
      };
    case 'graft':
      return {
        status: 200,
        uid,
        allowed: true,
        patch: [{ op: 'add', path: '/metadata/annotations/asked', value: uid }],
      };
  }
}
