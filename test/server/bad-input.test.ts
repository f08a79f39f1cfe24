import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAMP } from '../stamp.ts';
import {
  call,
  memoryLog,
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

describe('bad input', () => {
  test.each([
    ['an empty body', '', 'the body is empty'],
    ['malformed JSON', '{"kind": ', 'the body is not JSON'],
    ['a list', '[]', 'the body is not a JSON object'],
    ['no request', JSON.stringify({ ...review, request: undefined }), 'request is missing'],
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
      'groups that are a number',
      JSON.stringify(withRequest({ userInfo: { username: 'a', groups: 5 } })),
      'request.userInfo.groups is not a list of strings',
    ],
    [
      'a group that is a number',
      JSON.stringify(withRequest({ userInfo: { username: 'a', groups: [5] } })),
      'request.userInfo.groups is not a list of strings',
    ],
    [
      'a user id that is a map',
      JSON.stringify(withRequest({ userInfo: { username: 'a', uid: {} } })),
      'request.userInfo.uid is not a string',
    ],
    [
      'more about the user that is no list',
      JSON.stringify(withRequest({ userInfo: { username: 'a', extra: { key: 'x' } } })),
      'request.userInfo.extra is not a map of lists of strings',
    ],
  ])('%s: 400 with one line', async (_, body, message) => {
    const answer = await mutate(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`Cannot read AdmissionReview: ${message}`);
    expect(answer.text.split('\n')).toHaveLength(2);
  });

  test.each([
    ['an object that is a string', { object: 'x' }, 'request.object is not a map'],
    ['an old object that is a list', { oldObject: [] }, 'request.oldObject is not a map'],
  ])('%s: denied with a message', async (_, change, message) => {
    const answer = await mutate(withRequest(change));
    expect([answer.status, responseOf(answer)]).toEqual([
      200,
      {
        uid: review.request.uid,
        allowed: false,
        status: { code: 403, reason: 'Forbidden', message: `Cannot read AdmissionReview: ${message}` },
      },
    ]);
  });

  const container = { name: 'app', image: 'app:1' };
  test.each([
    ['no spec', { metadata: {} }],
    [
      'no containers, which the API server encodes as null',
      { metadata: {}, spec: { containers: null, volumes: null } },
    ],
    ['a map of containers', { metadata: {}, spec: { containers: {} } }],
    ['a nameless container', { metadata: {}, spec: { containers: [{ image: 'app:1' }] } }],
    ['a nameless variable', { metadata: {}, spec: { containers: [{ ...container, env: [{}] }] } }],
    [
      'a mount without a path',
      { metadata: {}, spec: { containers: [{ ...container, volumeMounts: [{ name: 'a' }] }] } },
    ],
    ['two containers of one name', { metadata: {}, spec: { containers: [container, container] } }],
    ['a number as its name', { metadata: { name: 5 }, spec: { containers: [container] } }],
    [
      'a list as the start of its name',
      { metadata: { generateName: [] }, spec: { containers: [container] } },
    ],
    ['metadata that is a list', { metadata: [], spec: { containers: [container] } }],
    [
      'thousands of containers',
      {
        metadata: {},
        spec: { containers: Array.from({ length: 2001 }, (_, index) => ({ name: `c${index}` })) },
      },
    ],
  ])('a Pod with %s is left to the API server', async (_, object) => {
    const answer = await mutate(withRequest({ object }));
    expect([answer.status, responseOf(answer)]).toEqual([
      200,
      {
        uid: review.request.uid,
        allowed: true,
        auditAnnotations: { decisions: 'stamp=unmatched' },
      },
    ]);
  });

  // Its log line has generateName instead of the name that it lacks.
  test.each([
    ['no metadata', {}],
    ['null as metadata', { metadata: null }],
    ['text as metadata', { metadata: 'x' }],
  ])('an object without a name and with %s is answered, and so is the next one', async (_, object) => {
    for (const answer of [await mutate(withRequest({ object, name: '' })), await mutate(review)]) {
      expect([answer.status, responseOf(answer).allowed]).toEqual([200, true]);
    }
  });

  test('a log that fails ends neither the server nor the connection', async () => {
    const broken = memoryLog('debug');
    const debug = () => {
      throw new Error('disk full');
    };
    const own = await serve(STAMP, { log: { ...broken, debug } });
    for (let turn = 0; turn < 2; turn++) {
      const answer = await postReview(own, review);
      expect([answer.status, patchOf(answer).length]).toEqual([200, 1]);
    }
    expect(broken.lines.filter((line) => line.includes('review not recorded'))).toHaveLength(2);
    await own.drain();
  });

  test.each([
    ['a number', { apiVersion: 5 }],
    ['missing', {}],
  ])('a Service whose apiVersion is %s is left alone', async (_, version) => {
    const kind = { group: '', version: 'v1', kind: 'Service' };
    const object = { ...version, kind: 'Service', metadata: { name: 'web' } };
    const answer = await mutate(withRequest({ kind, object }));
    expect([answer.status, responseOf(answer)]).toMatchObject([200, { allowed: true }]);
  });

  test('a Pod whose maps and lists the API server encodes as null is injected', async () => {
    const spec = { containers: [{ ...container, env: null }], initContainers: null, volumes: null };
    const object = { metadata: { annotations: null }, spec };
    expect(patchOf(await mutate(withRequest({ object })))).toEqual([
      { op: 'replace', path: '/metadata/annotations', value: { 'injected-by': 'my-webhook' } },
    ]);
  });

  test('bytes that are not UTF-8: 400', async () => {
    const answer = await call(server.port, '/mutate', Buffer.from([0x22, 0xff, 0x22]));
    expect([answer.status, answer.text]).toEqual([
      400,
      'Cannot read AdmissionReview: the body is not UTF-8\n',
    ]);
  });

  test('a content type in upper case or with parameters: 200', async () => {
    for (const type of ['Application/JSON', 'application/json; charset=utf-8']) {
      const headers = { 'Content-Type': type };
      const answer = await call(server.port, '/mutate', JSON.stringify(review), { headers });
      expect([type, answer.status]).toEqual([type, 200]);
    }
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

  test('not HTTP: 400', async () => {
    expect(await raw('\u0000\u0001\u0002\r\n\r\n')).toContain('400 Bad Request');
  });

  test('a slow client is disconnected', async () => {
    const own = await serve(STAMP, { limits: { headersMs: 200, requestMs: 400, drainIdleMs: 50 } });
    const socket = connect({ port: own.port, host: '127.0.0.1', rejectUnauthorized: false });
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
    let gathered = () => {};
    const gather = () =>
      new Promise<readonly never[]>((resolve) => {
        gathered = () => resolve([]);
      });
    const own = await serve(STAMP, { gather, limits: { concurrentReviews: 1, drainIdleMs: 50 } });
    const first = mutate(review, own);
    await expect.poll(own.inFlight).toBe(1);
    const second = await mutate(review, own);
    expect([second.status, second.headers['retry-after']]).toEqual([429, '1']);
    gathered();
    expect((await first).status).toBe(200);
    await own.drain();
  });
});

/** Sends bytes over TLS and returns everything until the server closes the connection. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.once('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
    socket.write(text);
  });
}
