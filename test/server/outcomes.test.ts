import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { defineInjector } from '../../src/sdk/injector.ts';
import { deny, overlay, skip } from '../../src/sdk/verdict.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import { watchProblems } from '../../src/server/watch-problems.ts';
import { STAMP } from '../stamp.ts';
import { call, memoryLog, patchOf, responseOf, review, serve } from './fixtures.ts';

type Server = Awaited<ReturnType<typeof serve>>;
let server: Server;
beforeAll(async () => {
  server = await serve(STAMP);
});
afterAll(() => server.drain());

const mutate = (body: unknown, target = server) =>
  call(target.port, '/mutate?timeout=10s', typeof body === 'string' ? body : JSON.stringify(body));
const withRequest = (change: object) => ({ ...review, request: { ...review.request, ...change } });

/** A server whose only injector does just this. */
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

  test('a patch may say more than ASCII', async () => {
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

  test('skipped: 200, allowed, with its warnings in one line each', async () => {
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

  test('an injector throws: 500 that names it, and nothing half-done', async () => {
    const own = await serveInjector(() => {
      throw new Error('out of luck');
    });
    const answer = await mutate(review, own);
    expect([answer.status, answer.text]).toEqual([500, 'Injector "odd" failed: out of luck\n']);
    await own.drain();
  });

  test('two injectors do not agree: 500 that names both and the place', async () => {
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

  test('the version asked in is the version answered in', async () => {
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

  test('dryRun is answered alike', async () => {
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
  ])('%s is never touched', async (_, change) => {
    expect(responseOf(await mutate(withRequest(change)))).not.toHaveProperty('patch');
  });
});

describe('bad input', () => {
  test.each([
    ['an empty body', '', 'the body is empty'],
    ['malformed JSON', '{"kind": ', 'the body is not JSON'],
    ['a list', '[]', 'the body is not a JSON object'],
    ['no request', JSON.stringify({ ...review, request: undefined }), 'there is no request'],
    ['no uid', JSON.stringify(withRequest({ uid: undefined })), 'request.uid is missing'],
    [
      'an unknown apiVersion',
      JSON.stringify({ ...review, apiVersion: 'admission.k8s.io/v2' }),
      'apiVersion is "admission.k8s.io/v2"',
    ],
    ['another kind', JSON.stringify({ ...review, kind: 'Pod' }), 'kind is "Pod"'],
    [
      'an unknown operation',
      JSON.stringify(withRequest({ operation: 'PATCH' })),
      'request.operation is "PATCH"',
    ],
    [
      'an object that is a string',
      JSON.stringify(withRequest({ object: 'x' })),
      'request.object is not a map',
    ],
    [
      'a Pod without spec',
      JSON.stringify(withRequest({ object: { metadata: {} } })),
      'request.object.spec is not a map',
    ],
  ])('%s: 400 with one line', async (_, body, message) => {
    const answer = await mutate(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`Cannot read AdmissionReview: ${message}`);
    expect(answer.text.split('\n')).toHaveLength(2);
  });

  test('bytes that are not UTF-8: 400', async () => {
    const answer = await call(server.port, '/mutate', Buffer.from([0x22, 0xff, 0x22]));
    expect([answer.status, answer.text]).toEqual([
      400,
      'Cannot read AdmissionReview: the body is not UTF-8\n',
    ]);
  });

  test('another content type: 415', async () => {
    const answer = await call(server.port, '/mutate', '{}', {
      headers: { 'Content-Type': 'application/yaml' },
    });
    expect(answer.status).toBe(415);
  });

  test('over 7 MiB: 413 without reading the rest', async () => {
    const head = (length: string) =>
      `POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    const announced = await raw(head(`Content-Length: ${8 * 1024 * 1024}`));
    expect(announced).toContain('413 Payload Too Large');
    const megabyte = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const chunked = await raw(head('Transfer-Encoding: chunked') + megabyte.repeat(8));
    expect(chunked).toContain('413 Payload Too Large');
  });

  test.each([
    ['nested 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a string of 5 MiB', JSON.stringify('x'.repeat(5 * 1024 * 1024))],
    ['lone surrogates', '"\\ud800 \\udfff"'],
    ['a number beyond 2^53', '9007199254740993.0000001'],
    ['keys that are names of the prototype', '{"__proto__": {"a": 1}, "constructor": 1, "prototype": 2}'],
  ])('%s does no harm', async (_, value) => {
    const text = JSON.stringify(
      withRequest({ object: { ...(review.request.object as object), extra: 'HERE' } }),
    );
    expect(patchOf(await mutate(text.replace('"HERE"', () => value)))).toEqual([
      { op: 'add', path: '/metadata/annotations/injected-by', value: 'my-webhook' },
    ]);
  });

  test('other paths and methods: 404 and 405', async () => {
    expect((await call(server.port, '/nothing')).status).toBe(404);
    const answer = await call(server.port, '/mutate');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test('what is not HTTP gets 400', async () => {
    expect(await raw('\u0000\u0001\u0002\r\n\r\n')).toContain('400 Bad Request');
  });

  test('a slow client is cut off', async () => {
    const own = await serve(STAMP, { limits: { headersMs: 200, requestMs: 400, drainIdleMs: 50 } });
    const socket = tlsConnect({ port: own.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write(
      'POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).toContain('408 Request Timeout');
    await own.drain();
  });

  test('too many at once: 429 with Retry-After', async () => {
    const own = await serve(STAMP, { limits: { concurrentReviews: 1, drainIdleMs: 50 } });
    const slow = tlsConnect({ port: own.port, host: '127.0.0.1', rejectUnauthorized: false });
    slow.write(
      'POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    );
    await expect.poll(async () => (await mutate(review, own)).status).toBe(429);
    expect((await mutate(review, own)).headers['retry-after']).toBe('1');
    slow.destroy();
    await own.drain();
  });
});

describe('the final-state check', () => {
  const validate = (body: unknown, target: Server) => call(target.port, '/validate', JSON.stringify(body));

  test('denies what is no longer as it was injected, naming injector and path', async () => {
    const response = responseOf(await validate(review, server));
    expect(response).toMatchObject({
      allowed: false,
      status: {
        message:
          'the object is not as it was injected: injector "stamp" would still change "/metadata/annotations/injected-by"',
      },
    });
  });

  test('warns where the configuration says so', async () => {
    const own = await serve(`${STAMP}validate: warn\n`);
    const response = responseOf(await validate(review, own));
    expect(response.allowed).toBe(true);
    expect(response.warnings).toHaveLength(1);
    await own.drain();
  });

  test('has nothing to say about an object that is final', async () => {
    const object = structuredClone(review.request.object) as { metadata: object };
    object.metadata = { ...object.metadata, annotations: { 'injected-by': 'my-webhook' } };
    expect(responseOf(await validate(withRequest({ object }), server))).toEqual({
      uid: review.request.uid,
      allowed: true,
    });
  });
});

describe('what is seen from outside', () => {
  test('metrics count by injector, verdict, operation and kind, and rejections by reason', async () => {
    const own = await serve(STAMP);
    await mutate(review, own);
    await mutate(withRequest({ kind: { group: 'x', version: 'v1', kind: 'Whatever' } }), own);
    await mutate('', own);
    const text = await own.metrics.registry.metrics();
    expect(text).toContain(
      'podgraft_reviews_total{injector="stamp",verdict="grafted",operation="CREATE",kind="Pod"} 1',
    );
    expect(text).toContain(
      'podgraft_reviews_total{injector="stamp",verdict="unmatched",operation="CREATE",kind="other"} 1',
    );
    expect(text).toContain('podgraft_rejected_requests_total{reason="bad_review"} 1');
    expect(text).toContain('podgraft_patch_operations_total 1');
    expect(text).toContain('podgraft_review_duration_seconds_count{path="/mutate"} 2');
    expect(text).toMatch(/podgraft_certificate_expiry_timestamp_seconds\{certificate="serving"\} \d+/);
    expect(text).toContain('podgraft_reviews_in_flight 0');
    await own.drain();
  });

  test('a review is one line at debug, with uid, injectors and reasons, and no value of the object', async () => {
    const own = await serve(STAMP);
    const object = structuredClone(review.request.object) as { spec: { containers: object[] } };
    object.spec.containers.push({
      name: 'secretive',
      image: 'x',
      env: [{ name: 'PASSWORD', value: 'hunter2' }],
    });
    await mutate(withRequest({ object }), own);
    await mutate('{"hunter2": ', own);
    await expect.poll(() => own.log.lines).toHaveLength(1);
    const [line] = own.log.lines;
    expect(JSON.parse(line ?? '')).toMatchObject({
      uid: review.request.uid,
      allowed: true,
      injectors: [{ injector: 'stamp', decision: 'grafted', operations: 1, kept: 0 }],
    });
    expect(own.log.lines.join()).not.toContain('hunter2');
    await own.drain();
  });

  test('health is on the same port', async () => {
    expect((await call(server.port, '/healthz')).text).toBe('ok\n');
    const own = await serve(STAMP, { notReady: () => ['ServiceAccount: listing'] });
    expect((await call(own.port, '/healthz')).status).toBe(200);
    const ready = await call(own.port, '/readyz');
    expect([ready.status, ready.text]).toEqual([503, 'ServiceAccount: listing\n']);
    await own.drain();
  });

  test('what is wrong with what an injector reads shows with readiness, in metrics and in the log', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let problems = ['template "sidecar" line 3: oops'];
    let missing = ['ConfigMap: not listed yet'];
    const cluster = { get: () => undefined, list: () => [] };
    const injector = defineInjector({
      name: 'odd',
      summary: '',
      match: {},
      problems: () => problems,
      inject: () => skip(''),
    });
    const pipeline = createPipeline([{ name: 'mesh', injector }]);
    const log = memoryLog();
    const metrics = createMetrics(new Set());
    const watch = watchProblems({ pipeline, cluster, notReady: () => missing }, metrics.registry, log);
    vi.advanceTimersByTime(20_000);
    expect(log.lines).toHaveLength(0);
    missing = [];
    vi.advanceTimersByTime(20_000);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toContain('mesh: template');
    expect(await metrics.registry.metrics()).toContain('podgraft_injector_problems{injector="mesh"} 1');
    problems = [];
    vi.advanceTimersByTime(20_000);
    expect(log.lines).toHaveLength(2);
    watch.stop();
    vi.useRealTimers();

    const own = await serve(STAMP, { problems: () => ['mesh: oops'] });
    expect(await call(own.port, '/readyz')).toMatchObject({ status: 200, text: 'ok\nmesh: oops\n' });
    await own.drain();
  });

  test('plain HTTP is for this machine only', async () => {
    const { pipeline } = await import('../../src/config/load-config.ts').then(({ parseConfigText }) =>
      parseConfigText(STAMP, 'test.yaml'),
    );
    const { startServer } = await import('../../src/server/start-server.ts');
    const own = await startServer({
      pipeline,
      cluster: { get: () => undefined, list: () => [] },
      port: 0,
      metrics: server.metrics,
      log: server.log,
    });
    await new Promise<void>((resolve, reject) => {
      connect(own.port, '127.0.0.1')
        .once('connect', () => resolve())
        .once('error', reject)
        .unref();
    });
    const elsewhere = new Promise((_, reject) => connect(own.port, '127.0.0.2').once('error', reject));
    await expect(elsewhere).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await own.drain();
  });
});

/** Bytes over TLS, and what came back until the server closed. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = tlsConnect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.once('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
    socket.write(text);
  });
}
