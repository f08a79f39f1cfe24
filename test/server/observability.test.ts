import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { parseConfigText } from '../../src/config/load-config.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { NO_FILES } from '../../src/sdk/file-view.ts';
import { defineInjector } from '../../src/sdk/injector.ts';
import { deny, skip } from '../../src/sdk/verdict.ts';
import { createLog } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { watchProblems } from '../../src/server/metrics/watch-problems.ts';
import { startServer } from '../../src/server/start-server.ts';
import { STAMP } from '../stamp.ts';
import { call, memoryLog, postReview, review, type Server, serve, withRequest } from './fixtures.ts';

const infoLog = memoryLog('info');
const denying = createPipeline([
  {
    name: 'no-web',
    injector: defineInjector({ name: 'no', summary: '', match: {}, inject: () => deny('not here') }),
  },
]);

let server: Server;
beforeAll(async () => {
  server = await serve(STAMP);
});
afterAll(() => server.drain());

describe('observability', () => {
  test('metrics count by injector, verdict, operation and kind, and rejections by reason', async () => {
    const own = await serve(STAMP);
    await postReview(own, review);
    await postReview(own, withRequest({ kind: { group: 'x', version: 'v1', kind: 'Whatever' } }));
    await postReview(own, '');
    // It is counted just after its response has been sent.
    await expect.poll(() => own.inFlight()).toBe(0);
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

  test('a review is one line at debug level, with uid, injectors and reasons, but no values of the object', async () => {
    const own = await serve(STAMP);
    const object = structuredClone(review.request.object) as { spec: { containers: object[] } };
    object.spec.containers.push({
      name: 'secretive',
      image: 'x',
      env: [{ name: 'PASSWORD', value: 'hunter2' }],
    });
    await postReview(own, withRequest({ object }));
    await postReview(own, '{"hunter2": ');
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

  test('a denied review is one line at level info, with the injector and the reason', async () => {
    const own = await serve(STAMP, { pipeline: denying, log: infoLog });
    const object = { ...(review.request.object as object), metadata: { generateName: 'web-7d4b9-' } };
    await postReview(own, withRequest({ object, name: '' }));
    await expect.poll(() => infoLog.lines).toHaveLength(1);
    expect(JSON.parse(infoLog.lines[0] ?? '')).toMatchObject({
      message: 'review denied',
      injector: 'no-web',
      reason: 'not here',
      generateName: 'web-7d4b9-',
      path: '/mutate',
      uid: review.request.uid,
    });
    await own.drain();
  });

  test('a denied final check names the injector that would still change the object', async () => {
    infoLog.lines.length = 0;
    const own = await serve(STAMP, { log: infoLog });
    await call(own.port, '/validate', JSON.stringify(review));
    await expect.poll(() => infoLog.lines).toHaveLength(1);
    expect(JSON.parse(infoLog.lines[0] ?? '')).toMatchObject({
      message: 'review denied',
      injector: 'stamp',
      reason: 'injection is incomplete: "/metadata/annotations/injected-by"',
      path: '/validate',
    });
    await own.drain();
  });

  test('a slow review is one line at level info, with the injectors that ran and the slowest of them; others are not logged', async () => {
    infoLog.lines.length = 0;
    const own = await serve(STAMP, { log: infoLog });
    await postReview(own, review);
    await expect.poll(() => own.inFlight()).toBe(0);
    expect(infoLog.lines).toEqual([]);
    await own.drain();
    const slow = await serve(STAMP, { log: infoLog, limits: { slowMs: 0, drainIdleMs: 50 } });
    await postReview(slow, review);
    await expect.poll(() => infoLog.lines).toHaveLength(1);
    expect(JSON.parse(infoLog.lines[0] ?? '')).toMatchObject({
      message: 'slow review',
      allowed: true,
      slowest: { injector: 'stamp', milliseconds: expect.any(Number) },
      injectors: [{ injector: 'stamp', decision: 'grafted' }],
    });
    await slow.drain();
  });

  test('levels are words', () => {
    const written: string[] = [];
    createLog('info', { write: (line: string) => written.push(line) }).warn({ a: 1 }, 'text');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ level: 'warn', a: 1, msg: 'text' });
  });

  test('health is on the same port', async () => {
    expect((await call(server.port, '/healthz')).text).toBe('ok\n');
    const own = await serve(STAMP, { notReady: () => ['ServiceAccount: listing'] });
    expect((await call(own.port, '/healthz')).status).toBe(200);
    const ready = await call(own.port, '/readyz');
    expect([ready.status, ready.text]).toEqual([503, 'ServiceAccount: listing\n']);
    await own.drain();
  });

  test('problems with objects that an injector reads show in readiness, metrics and log', async () => {
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
    const watch = watchProblems(
      () => ({ pipeline, cluster, files: NO_FILES, notReady: () => missing }),
      metrics.registry,
      log,
    );
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

  test('plain HTTP listens on the loopback address only', async () => {
    const { pipeline } = await parseConfigText(STAMP, 'test.yaml');
    const { metrics, log } = server;
    const own = await startServer({ pipeline, cluster: filesView([]), port: 0, metrics, log });
    const socket = connect(own.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    const elsewhere = new Promise((_, reject) => connect(own.port, '127.0.0.2').once('error', reject));
    await expect(elsewhere).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await own.drain();
  });
});
