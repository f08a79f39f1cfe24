import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { defineInjector } from '../../src/sdk/injector.ts';
import { deny, overlay, skip } from '../../src/sdk/verdict.ts';
import { STAMP } from '../stamp.ts';
import {
  call,
  patchOf,
  postReview,
  responseOf,
  review,
  type Server,
  serve,
  withRequest,
} from './fixtures.ts';

let server: Server;
beforeAll(async () => {
  server = await serve(STAMP);
});
afterAll(() => server.drain());

const mutate = (body: unknown, target = server) => postReview(target, body);

/** A server with one injector. */
const serveInjector = async (inject: () => ReturnType<typeof skip>) =>
  serve(STAMP, {
    pipeline: createPipeline([
      { name: 'odd', injector: defineInjector({ name: 'odd', summary: '', match: {}, inject }) },
    ]),
  });

describe('outcomes', () => {
  test('grafted: 200, allowed, with the patch', async () => {
    const answer = await mutate(review);
    expect(answer.status).toBe(200);
    expect(responseOf(answer)).toMatchObject({
      uid: review.request.uid,
      allowed: true,
      patchType: 'JSONPatch',
    });
    expect(patchOf(answer)).toEqual([
      { op: 'add', path: '/metadata/annotations/injected-by', value: 'my-webhook' },
    ]);
  });

  test('a patch may contain non-ASCII text', async () => {
    const own = await serve(STAMP.replace('my-webhook', 'Zürich 🎉'));
    expect(patchOf(await mutate(review, own))).toMatchObject([{ value: 'Zürich 🎉' }]);
    await own.drain();
  });

  test('nothing to change: 200, allowed, no patch field', async () => {
    const object = structuredClone(review.request.object) as { metadata: { annotations: object } };
    object.metadata.annotations = { 'injected-by': 'my-webhook' };
    const response = responseOf(await mutate(withRequest({ object })));
    expect(response).toMatchObject({ allowed: true });
    expect(response).not.toHaveProperty('patch');
    expect(response).not.toHaveProperty('patchType');
  });

  test('skipped: 200, allowed, with one line per warning', async () => {
    const own = await serveInjector(() => skip('not today', ['mind\nthe gap', 'x'.repeat(300)]));
    const response = responseOf(await mutate(review, own));
    expect(response).toMatchObject({ allowed: true, auditAnnotations: { decisions: 'odd=skipped' } });
    expect(response.warnings).toEqual(['mind the gap', `${'x'.repeat(255)}…`]);
    await own.drain();
  });

  test('denied: 200, not allowed, with code and reason', async () => {
    const own = await serveInjector(() => deny('no such queue'));
    const response = responseOf(await mutate(review, own));
    expect(response).toMatchObject({ allowed: false, status: { code: 403, message: 'no such queue' } });
    await own.drain();
  });

  test('an injector throws: 500 that names it, no partial patch, and a log line that names the review', async () => {
    const own = await serveInjector(() => {
      throw new Error('out of luck');
    });
    const answer = await mutate(review, own);
    expect([answer.status, answer.text]).toEqual([500, 'Injector "odd" failed: out of luck\n']);
    expect(own.log.lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        uid: review.request.uid,
        kind: 'Pod',
        code: 'INJECTOR_FAILED',
        injector: 'odd',
        stack: expect.stringContaining('outcomes.test.ts'),
        message: 'review failed',
      },
    ]);
    expect(await own.metrics.registry.metrics()).toContain(
      'podgraft_rejected_requests_total{reason="injector_failed",injector="odd"} 1',
    );
    await own.drain();
  });

  test('an injector with onError: skip throws: the others do their work, with a warning and a log line', async () => {
    const failing = defineInjector({
      name: 'odd',
      summary: '',
      match: {},
      inject: () => {
        throw new Error('out of luck');
      },
    });
    const stamp = defineInjector({
      name: 'stamp',
      summary: '',
      match: {},
      inject: () => overlay({ metadata: { annotations: { stamped: 'yes' } } }),
    });
    const pipeline = createPipeline([
      { name: 'odd', injector: failing, onError: 'skip' },
      { name: 'stamp', injector: stamp },
    ]);
    const own = await serve(STAMP, { pipeline });
    const answer = await mutate(review, own);
    expect(patchOf(answer)).toMatchObject([{ op: 'add', path: '/metadata/annotations/stamped' }]);
    expect(responseOf(answer).warnings).toEqual(['Injector "odd" failed: out of luck; it was skipped']);
    expect(own.log.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ injector: 'odd', message: 'injector skipped', uid: review.request.uid }),
    );
    expect(await own.metrics.registry.metrics()).toContain(
      'podgraft_reviews_total{injector="odd",verdict="failed",operation="CREATE",kind="Pod"} 1',
    );
    await own.drain();
  });

  test('two injectors disagree: 500 that names both and the path', async () => {
    const wants = (name: string, image: string) => ({
      name,
      injector: defineInjector({
        name,
        summary: '',
        match: {},
        inject: () => overlay({ spec: { schedulerName: { $force: image } } }),
      }),
    });
    const own = await serve(STAMP, { pipeline: createPipeline([wants('left', 'a'), wants('right', 'b')]) });
    const answer = await mutate(review, own);
    expect([answer.status, answer.text]).toEqual([
      500,
      'Injectors "left" and "right" do not agree on "/spec/schedulerName"\n',
    ]);
    await own.drain();
  });

  test('the response has the version of the review', async () => {
    const answer = await mutate({ ...review, apiVersion: 'admission.k8s.io/v1beta1' });
    expect(JSON.parse(answer.text)).toMatchObject({
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, allowed: true },
    });
  });

  test('object null on DELETE: allowed, no patch', async () => {
    const response = responseOf(
      await mutate(withRequest({ operation: 'DELETE', object: null, oldObject: review.request.object })),
    );
    expect(response).toEqual({ uid: review.request.uid, allowed: true });
  });

  test('dryRun gets the same answer', async () => {
    expect(patchOf(await mutate(withRequest({ dryRun: true })))).toHaveLength(1);
  });

  test.each([
    ['kube-system', { namespace: 'kube-system' }],
    ['UPDATE of a Pod', { operation: 'UPDATE', oldObject: review.request.object }],
    ['a subresource', { subResource: 'ephemeralcontainers' }],
    [
      'a TokenReview',
      {
        kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' },
        object: { metadata: {}, spec: {} },
      },
    ],
    [
      'a mirror pod',
      {
        object: {
          ...(review.request.object as object),
          metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
        },
      },
    ],
  ])('%s is never changed', async (_, change) => {
    expect(responseOf(await mutate(withRequest(change)))).not.toHaveProperty('patch');
  });
});

describe('oversized: deny', () => {
  const args = Array.from({ length: 100_001 }, () => '');
  const oversized = withRequest({
    object: { ...(review.request.object as object), spec: { containers: [{ name: 'web', args }] } },
  });

  test.each(['/mutate', '/validate'])('denies a Pod that is too large to be injected: %s', async (path) => {
    const own = await serve(`${STAMP}oversized: deny\n`);
    const response = responseOf(await call(own.port, path, JSON.stringify(oversized)));
    expect(response).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        message:
          'the Pod is too large: it has more than 100000 values; injector "stamp" matches it, and the configuration has "oversized: deny"',
      },
    });
    await own.drain();
  });

  test.each(['/mutate', '/validate'])('by default such a Pod is left alone: %s', async (path) => {
    const response = responseOf(await call(server.port, path, JSON.stringify(oversized)));
    expect(response).toEqual(expect.not.objectContaining({ patch: expect.anything() }));
    expect(response.allowed).toBe(true);
  });
});

describe('the final-state check', () => {
  const validate = (body: unknown, target: Server) => call(target.port, '/validate', JSON.stringify(body));

  test('denies an object that was changed after injection, naming injector and path', async () => {
    const response = responseOf(await validate(review, server));
    expect(response).toMatchObject({
      allowed: false,
      status: {
        message:
          'injection is incomplete: injector "stamp" would still change "/metadata/annotations/injected-by"',
      },
    });
  });

  test('warns if configured to', async () => {
    const own = await serve(`${STAMP}validate: warn\n`);
    const response = responseOf(await validate(review, own));
    expect(response.allowed).toBe(true);
    expect(response.warnings).toHaveLength(1);
    await own.drain();
  });

  test('allows a final object without warnings', async () => {
    const object = structuredClone(review.request.object) as { metadata: object };
    object.metadata = { ...object.metadata, annotations: { 'injected-by': 'my-webhook' } };
    expect(responseOf(await validate(withRequest({ object }), server))).toEqual({
      uid: review.request.uid,
      allowed: true,
    });
  });
});
