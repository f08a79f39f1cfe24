import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  event,
  type FakeApiServer,
  refuse,
  startFakeApiServer,
  statusOf,
} from '../../../test/cluster/fake-api-server.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { builtin } from '../../kube/resource.ts';
import { isRefusal } from './api-error.ts';
import { createClient, type KubeClient } from './client.ts';
import type { WatchEvent } from './watch-events.ts';

const SECRET = builtin('Secret');
const ACCOUNT = builtin('ServiceAccount');
const HOOKS = builtin('MutatingWebhookConfiguration');
const secret = { ref: SECRET, namespace: 'system', name: 'tls' };
const watchOptions = { resourceVersion: '7', timeoutSeconds: 300, idleMs: 5_000 };

let server: FakeApiServer;
let client: KubeClient;
beforeEach(async () => {
  server = await startFakeApiServer((_, response) => refuse(response, 404, 'NotFound'));
  client = createClient(server.connection());
});
afterEach(async () => {
  client.close();
  await server.stop();
});

describe('a call', () => {
  it('gets an object by its path', async () => {
    server.handle = (_, response) => answer(response, object('tls'));
    expect(await client.get(secret)).toEqual(object('tls'));
    expect(server.calls[0]).toMatchObject({ method: 'GET', path: '/api/v1/namespaces/system/secrets/tls' });
  });

  it('returns undefined for an object that does not exist', async () => {
    expect(await client.get(secret)).toBeUndefined();
  });

  it('lists page by page, and adds apiVersion and kind to each item', async () => {
    server.handle = ({ query }, response) =>
      answer(response, {
        metadata: { resourceVersion: '7', ...(!query.has('continue') && { continue: 'more' }) },
        items: [{ metadata: { name: query.get('continue') ?? 'first' } }],
      });
    const first = await client.list(ACCOUNT, { limit: 1, namespace: 'a b' });
    expect(first).toEqual({
      items: [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'first' } }],
      resourceVersion: '7',
      continue: 'more',
    });
    const last = await client.list(ACCOUNT, { limit: 1, continue: 'more' });
    expect(last).not.toHaveProperty('continue');
    expect(server.calls[0]?.path).toBe('/api/v1/namespaces/a%20b/serviceaccounts');
    expect(server.calls[1]?.query.toString()).toBe('limit=1&continue=more');
  });

  it('creates an object in its namespace', async () => {
    server.handle = ({ body }, response) => answer(response, JSON.parse(body), 201);
    expect(await client.create(SECRET, object('tls'))).toEqual(object('tls'));
    expect(server.calls[0]).toMatchObject({ method: 'POST', path: '/api/v1/namespaces/system/secrets' });
  });

  it('replaces a cluster-scoped object', async () => {
    const hooks = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'podgraft' },
    };
    server.handle = ({ body }, response) => answer(response, JSON.parse(body));
    await client.update(HOOKS, hooks);
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/podgraft';
    expect(server.calls[0]).toMatchObject({ method: 'PUT', path, body: JSON.stringify(hooks) });
  });

  it('sends a JSON Patch', async () => {
    server.handle = (_, response) => answer(response, object('tls'));
    await client.patch(secret, [{ op: 'remove', path: '/data' }]);
    expect(server.calls[0]).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: '[{"op":"remove","path":"/data"}]',
    });
  });

  it('keeps the path of a server behind a gateway', async () => {
    const behind = createClient({ ...server.connection(), server: new URL(`${server.url}/clusters/c-1/`) });
    await behind.get(secret);
    expect(server.calls[0]?.path).toBe('/clusters/c-1/api/v1/namespaces/system/secrets/tls');
    behind.close();
  });
});

describe('refusals', () => {
  it('carry the HTTP status, and the reason and message of Kubernetes', async () => {
    server.handle = (_, response) => refuse(response, 409, 'Conflict', 'the object has been modified');
    const error = await client.update(SECRET, object('tls')).catch((error: unknown) => error);
    expect(isRefusal(error, 'Conflict')).toBe(true);
    expect(error).toMatchObject({
      code: 'CLUSTER_API_REFUSED',
      status: 409,
      message: 'Cannot update Secret "system/tls": 409 Conflict: the object has been modified',
    });
  });

  it('carry the time to wait', async () => {
    server.handle = (_, response) => {
      response.setHeader('retry-after', '3');
      response.writeHead(429).end('<html>slow down</html>');
    };
    await expect(client.list(ACCOUNT)).rejects.toMatchObject({
      reason: 'TooManyRequests',
      retryAfterMs: 3_000,
    });
  });

  it('do not quote the content of a Secret', async () => {
    server.handle = (_, response) => refuse(response, 400, 'BadRequest', 'error found near "aHVudGVyMg=="');
    await expect(client.create(SECRET, object('tls'))).rejects.toThrow(
      /^Cannot create Secret "system\/tls": 400 BadRequest$/,
    );
  });
});

describe('a call that gets no answer', () => {
  it('fails at its timeout', async () => {
    server.handle = () => {};
    await expect(client.get(secret, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'CLUSTER_API_UNREACHABLE',
      message: 'Cannot get Secret "system/tls": no answer within 50 ms',
    });
  });

  it('fails at its timeout if the last byte is missing', async () => {
    server.handle = (_, response) => void response.writeHead(200).write('{"kind":');
    await expect(client.get(secret, { timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms');
  });

  it('fails if no server listens', async () => {
    const { url } = server;
    await server.stop();
    const gone = createClient({ ...server.connection(), server: new URL(url) });
    await expect(gone.get(secret)).rejects.toMatchObject({ code: 'CLUSTER_API_UNREACHABLE' });
  });

  it('ends when the caller aborts it', async () => {
    server.handle = () => {};
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = client.get(secret, { signal: controller.signal });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('is repeated if the server has closed the kept connection', async () => {
    let sockets = 0;
    server.handle = (_, response) => {
      if (sockets++ === 1) response.socket?.resetAndDestroy();
      else answer(response, object('tls'));
    };
    await client.get(secret);
    await expect(client.get(secret)).resolves.toBeDefined();
  });
});

describe('a watch', () => {
  it('requests bookmarks, and yields one event per line however the bytes are split', async () => {
    const lines = event('ADDED', object('ä')) + event('BOOKMARK', object('')) + event('DELETED', object('ä'));
    const bytes = Buffer.from(lines);
    const middle = bytes.indexOf('ä') + 1;
    server.handle = async (_, response) => {
      response.write(bytes.subarray(0, middle));
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.end(bytes.subarray(middle));
    };
    const events = await all(client.watch(ACCOUNT, watchOptions));
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'ä'],
      ['BOOKMARK', ''],
      ['DELETED', 'ä'],
    ]);
    const query = 'resourceVersion=7&timeoutSeconds=300&watch=true&allowWatchBookmarks=true';
    expect(server.calls[0]?.query.toString()).toBe(query);
  });

  it('drops an unfinished last line', async () => {
    server.handle = (_, response) =>
      void response.end(`${event('ADDED', object('whole'))}{"type":"ADDED","obj`);
    expect(await all(client.watch(ACCOUNT, watchOptions))).toHaveLength(1);
  });

  it('throws when the connection breaks, after yielding the complete events', async () => {
    server.handle = (_, response) => {
      response.write(`${event('ADDED', object('whole'))}{"type":"ADD`, () =>
        response.socket?.resetAndDestroy(),
      );
    };
    const seen: WatchEvent[] = [];
    const watching = all(client.watch(ACCOUNT, watchOptions), seen);
    await expect(watching).rejects.toMatchObject({ code: 'CLUSTER_API_UNREACHABLE' });
    expect(seen).toHaveLength(1);
  });

  it.each(['a response', 'an event'])('throws on 410 Gone in %s', async (how) => {
    server.handle = (_, response) => {
      if (how === 'a response') refuse(response, 410, 'Expired', 'too old resource version');
      else response.end(event('ERROR', statusOf(410, 'Expired', 'too old resource version')));
    };
    await expect(all(client.watch(ACCOUNT, watchOptions))).rejects.toMatchObject({
      status: 410,
      reason: 'Expired',
    });
  });

  it('ends after a long silence', async () => {
    server.handle = (_, response) => response.flushHeaders();
    const watching = all(client.watch(ACCOUNT, { ...watchOptions, idleMs: 60 }));
    await expect(watching).rejects.toThrow('no answer within 60 ms');
  });

  it('closes its connection when the reader stops', async () => {
    const closed = new Promise((resolve) => {
      server.handle = (_, response) => {
        response.on('close', resolve);
        response.write(event('ADDED', object('a')));
      };
    });
    for await (const _ of client.watch(ACCOUNT, watchOptions)) break;
    await closed;
  });
});

async function all(events: AsyncIterable<WatchEvent>, into: WatchEvent[] = []): Promise<WatchEvent[]> {
  for await (const event of events) into.push(event);
  return into;
}

function object(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'system' } };
}
