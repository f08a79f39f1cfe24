import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answer,
  event,
  type FakeApiServer,
  refuse,
  startFakeApiServer,
  statusOf,
} from '../../test/cluster/fake-api-server.ts';
import { FakeCollection } from '../../test/cluster/fake-collection.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { ReadRef } from '../kube/resource.ts';
import { builtin } from '../kube/resource.ts';
import { createClient, type KubeClient } from './client/client.ts';
import { filesView } from './files-view.ts';
import { type Clock, realClock } from './live/clock.ts';
import { createLiveView, type LiveView } from './live-view.ts';

const ACCOUNT = builtin('ServiceAccount');
const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget', resource: 'widgets', namespaced: true };

let server: FakeApiServer;
let accounts: FakeCollection;
let namespaces: FakeCollection;
let client: KubeClient;
let stop: AbortController;
let pauses: number[];
let logged: string[];
let skipped: number;

/** Pauses are noted and cut short; time can be moved on. */
const clock: Clock = {
  now: () => realClock.now() + skipped,
  sleep(milliseconds, signal) {
    pauses.push(milliseconds);
    return realClock.sleep(5, signal);
  },
};

beforeEach(async () => {
  accounts = new FakeCollection();
  namespaces = new FakeCollection();
  [pauses, logged, skipped] = [[], [], 0];
  server = await startFakeApiServer((call, response) => {
    if (call.path.includes('/serviceaccounts')) return accounts.handle(call, response);
    if (call.path.includes('/namespaces')) return namespaces.handle(call, response);
    refuse(response, 404, 'NotFound');
  });
  client = createClient(server.connection());
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  client.close();
  await server.stop();
});

function open(...reads: ReadRef[]): LiveView {
  const log = {
    info: (_: object, message: string) => void logged.push(message),
    warn: (_: object, message: string) => void logged.push(message),
  };
  return createLiveView({ client, reads, log, clock, random: () => 0.5 });
}

async function openSynced(...reads: ReadRef[]): Promise<LiveView> {
  const view = open(...(reads.length > 0 ? reads : [ACCOUNT]));
  void view.start(stop.signal);
  await soon(() => expect(view.synced().synced).toBe(true));
  return view;
}

/** Generous: it only costs time when something is wrong. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });
const names = (view: LiveView) => view.list(ACCOUNT).map(({ metadata }) => metadata.name);
const sees = (view: LiveView, ...expected: string[]) => soon(() => expect(names(view)).toEqual(expected));
const isWatching = () => soon(() => expect(accounts.watches).toBe(1));
const watchCalls = () =>
  server.calls.filter(
    ({ path, query }) => path.endsWith('/serviceaccounts') && query.get('watch') === 'true',
  );
const listCalls = () =>
  server.calls.filter(({ path, query }) => path.endsWith('/serviceaccounts') && !query.has('watch'));

describe('following a kind', () => {
  it('lists page by page, then watches from where the list ended', async () => {
    for (let index = 0; index < 1200; index++) accounts.put(`account-${index}`);
    const view = await openSynced();
    expect(view.list(ACCOUNT)).toHaveLength(1200);
    expect(listCalls().map(({ query }) => query.toString())).toEqual([
      'limit=500',
      'limit=500&continue=500',
      'limit=500&continue=1000',
    ]);
    await isWatching();
    expect(watchCalls()[0]?.query.get('resourceVersion')).toBe('1200');
  });

  it('learns of what is added, changed and removed', async () => {
    accounts.put('a');
    const view = await openSynced();
    await isWatching();
    accounts.put('b');
    accounts.put('a', { secrets: [] });
    await soon(() => expect(view.get(ACCOUNT, 'default', 'a')).toMatchObject({ secrets: [] }));
    accounts.remove('a');
    await sees(view, 'b');
    expect(view.kinds()).toMatchObject([{ kind: 'Namespace' }, { kind: 'ServiceAccount', objects: 1 }]);
  });

  it('resumes a broken watch from the last bookmark', async () => {
    const view = await openSynced();
    await isWatching();
    skipped = 60_000;
    accounts.bookmark();
    await soon(() => expect(view.kinds()[1]?.ageSeconds).toBeLessThan(10));
    accounts.write('{"type":"ADDED","obj');
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.cut();
    accounts.put('while-away');
    await sees(view, 'while-away');
    expect(watchCalls().at(-1)?.query.get('resourceVersion')).toBe('10');
    expect(listCalls()).toHaveLength(1);
    await soon(() => expect(logged.filter((line) => line === 'watch resumed')).not.toHaveLength(0));
  });

  it('says nothing when the server ends a watch', async () => {
    const view = await openSynced();
    await isWatching();
    accounts.endWatches();
    accounts.put('a');
    await sees(view, 'a');
    expect(logged).toEqual(['kind listed', 'kind listed']);
  });

  it.each(['the status', 'an event'])('lists anew when %s says that its version is gone', async (how) => {
    accounts.put('old');
    const view = await openSynced();
    await isWatching();
    accounts.remove('old');
    accounts.put('new');
    await sees(view, 'new');
    accounts.forget();
    if (how === 'an event') accounts.write(event('ERROR', statusOf(410, 'Expired')));
    else server.cut();
    accounts.put('newer');
    await sees(view, 'new', 'newer');
    expect(listCalls()).toHaveLength(2);
  });

  it('forgets on a new list what was removed unseen', async () => {
    accounts.put('a');
    const view = await openSynced();
    await isWatching();
    const hook = server.handle;
    server.handle = (_, response) => void response.socket?.destroy();
    server.cut();
    accounts.remove('a');
    accounts.put('b');
    accounts.forget();
    server.handle = hook;
    await sees(view, 'b');
  });

  it('takes the list as one answer when its pages expire', async () => {
    for (let index = 0; index < 600; index++) accounts.put(`account-${index}`);
    const hook = server.handle;
    server.handle = (call, response) =>
      call.query.has('continue') ? refuse(response, 410, 'Expired') : hook(call, response);
    const view = await openSynced();
    expect(view.list(ACCOUNT)).toHaveLength(600);
    expect(listCalls().map(({ query }) => query.get('limit'))).toEqual(['500', '500', null]);
  });

  it('serves what it has while the server is away, and shows its age', async () => {
    accounts.put('a');
    const view = await openSynced();
    await isWatching();
    server.handle = (_, response) => void response.socket?.destroy();
    server.cut();
    await soon(() => expect(logged).toContain('watch lost'));
    skipped = 90_000;
    expect(names(view)).toEqual(['a']);
    expect(view.synced()).toEqual({ synced: true, detail: [] });
    expect(view.kinds()[1]?.ageSeconds).toBeGreaterThan(80);
  });

  it('waits longer each time, and as long as the server asks', async () => {
    server.handle = (_, response) => refuse(response, 500, 'InternalError');
    void open().start(stop.signal);
    await soon(() => expect(pauses.length).toBeGreaterThan(8));
    expect(pauses.slice(0, 8)).toEqual([150, 300, 600, 1200, 2400, 4800, 7500, 7500]);
    server.handle = (_, response) => {
      response.setHeader('retry-after', '60');
      refuse(response, 429, 'TooManyRequests');
    };
    await soon(() => expect(pauses.at(-1)).toBe(60_000));
  });

  it('ends when it is told to', async () => {
    const view = open(ACCOUNT);
    const running = view.start(stop.signal);
    await isWatching();
    stop.abort();
    await running;
    await soon(() => expect(accounts.watches).toBe(0));
  });
});

describe('readiness', () => {
  it('waits for every kind, and says for which and why', async () => {
    const hook = server.handle;
    server.handle = (call, response) =>
      call.path.includes('serviceaccounts')
        ? refuse(response, 403, 'Forbidden', 'not yours')
        : hook(call, response);
    const view = open(ACCOUNT);
    expect(view.synced().synced).toBe(false);
    void view.start(stop.signal);
    const detail = ['ServiceAccount: not listed yet (Cannot list serviceaccounts: 403 Forbidden: not yours)'];
    await soon(() => expect(view.synced()).toEqual({ synced: false, detail }));
    server.handle = hook;
    await soon(() => expect(view.synced()).toEqual({ synced: true, detail: [] }));
  });

  it('does not wait for a kind that is not installed, which may come later', async () => {
    const hook = server.handle;
    const view = await openSynced(WIDGET);
    expect(view.synced().detail).toEqual(['Widget.example.com: not installed']);
    expect(pauses.at(-1)).toBe(37_500);
    server.handle = (call, response) => {
      if (!call.path.includes('widgets')) return hook(call, response);
      if (call.query.has('watch')) return response.flushHeaders();
      answer(response, {
        metadata: { resourceVersion: '1' },
        items: [{ metadata: { name: 'w', namespace: 'a' } }],
      });
    };
    await soon(() => expect(view.get(WIDGET, 'a', 'w')?.apiVersion).toBe('example.com/v1'));
    expect(view.synced().detail).toEqual([]);
  });
});

describe('a live read', () => {
  const need = (name: string) => ({ ref: ACCOUNT, namespace: 'default', name });
  const gets = () => server.calls.filter(({ path }) => path.includes('/serviceaccounts/'));

  let silent: ServerResponse[];
  beforeEach(() => {
    silent = [];
  });

  /** The watch stays silent, so that only a live read can bring news. */
  async function openBehind(): Promise<LiveView> {
    const view = await openSynced();
    await isWatching();
    const hook = server.handle;
    server.handle = (call, response) => {
      if (!call.query.has('watch')) return hook(call, response);
      response.flushHeaders();
      silent.push(response);
    };
    server.cut();
    await soon(() => expect(watchCalls().length).toBeGreaterThan(1));
    return view;
  }

  it('brings what the watch has not told yet, once for all who ask', async () => {
    const view = await openBehind();
    accounts.put('fresh');
    await Promise.all(Array.from({ length: 50 }, () => view.read([need('fresh'), need('fresh')], 1_000)));
    expect(view.get(ACCOUNT, 'default', 'fresh')).toBeDefined();
    expect(names(view)).toEqual(['fresh']);
    await view.read([need('fresh')], 1_000);
    expect(gets()).toHaveLength(1);
    expect(view.reads).toEqual({ found: 1, missing: 0, failed: 0 });
  });

  it('remembers for a second that there is nothing', async () => {
    const view = await openBehind();
    await view.read([need('late')], 1_000);
    accounts.put('late');
    await view.read([need('late')], 1_000);
    expect(gets()).toHaveLength(1);
    skipped = 1_100;
    await view.read([need('late')], 1_000);
    expect(names(view)).toEqual(['late']);
    expect(view.reads).toEqual({ found: 1, missing: 1, failed: 0 });
  });

  it('waits no longer than the deadline, and keeps what comes later', async () => {
    const view = await openBehind();
    accounts.put('slow');
    const hook = server.handle;
    server.handle = (call, response) => void setTimeout(() => hook(call, response), 1_000);
    const before = performance.now();
    await view.read([need('slow')], 30);
    expect(performance.now() - before).toBeLessThan(900);
    expect(names(view)).toEqual([]);
    await sees(view, 'slow');
  });

  it('that fails leaves the view as it is', async () => {
    const view = await openBehind();
    server.handle = (_, response) => void response.socket?.destroy();
    await view.read([need('a')], 1_000);
    expect(view.reads).toMatchObject({ failed: 1 });
    expect(logged).toContain('live read failed');
  });

  it('gives way to what the watch tells of the same object', async () => {
    const view = await openSynced();
    await isWatching();
    accounts.put('a');
    await view.read([need('a')], 1_000);
    accounts.remove('a');
    await sees(view);
  });

  it('is forgotten when the watch has come further without a word of the object', async () => {
    const view = await openBehind();
    accounts.put('ghost');
    await view.read([need('ghost')], 1_000);
    expect(names(view)).toEqual(['ghost']);
    const bookmark = event('BOOKMARK', { kind: 'ServiceAccount', metadata: { resourceVersion: '7' } });
    for (const response of silent) response.write(bookmark);
    await sees(view);
  });

  it('of a kind that nobody declared is not done', async () => {
    const view = await openSynced();
    await view.read([{ ref: WIDGET, namespace: 'a', name: 'w' }], 1_000);
    expect(server.calls.some(({ path }) => path.includes('widgets'))).toBe(false);
  });
});

describe('objects in the view', () => {
  const full = {
    metadata: {
      name: 'a',
      namespace: 'default',
      managedFields: [{}],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', keep: 'me' },
    },
    spec: { size: 1 },
    status: { phase: 'Ready' },
  };

  async function stored(...reads: ReadRef[]): Promise<KubeObject | undefined> {
    server.handle = ({ query }, response) => {
      if (query.has('watch')) return response.flushHeaders();
      answer(response, { metadata: { resourceVersion: '1' }, items: [full] });
    };
    return (await openSynced(...reads)).get(WIDGET, 'default', 'a');
  }
  const head = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const metadata = { name: 'a', namespace: 'default', annotations: { keep: 'me' } };

  it('hold neither managedFields nor status', async () => {
    expect(await stored(WIDGET)).toEqual({ ...head, metadata, spec: full.spec });
  });

  it('hold only the fields that are read', async () => {
    expect(await stored({ ...WIDGET, fields: ['status'] })).toEqual({
      ...head,
      metadata,
      status: full.status,
    });
  });

  it('hold what any of their readers reads', async () => {
    const object = await stored({ ...WIDGET, fields: ['status'] }, WIDGET, { ...WIDGET, fields: [] });
    expect(object).toEqual({ ...head, metadata, spec: full.spec, status: full.status });
  });

  it('are found as in the view from files', async () => {
    const objects = ['b', 'a', 'c'].map((name, index) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: index < 2 ? 'x' : 'a', labels: { even: String(index % 2 === 0) } },
    }));
    server.handle = ({ path, query }, response) => {
      if (query.has('watch')) return response.flushHeaders();
      const items = path.endsWith('serviceaccounts') ? objects : [];
      answer(response, { metadata: { resourceVersion: '1' }, items });
    };
    const live = await openSynced();
    const files = filesView(objects.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))));
    for (const namespace of [undefined, 'x', 'a', 'nowhere']) {
      expect(live.list(ACCOUNT, namespace)).toEqual(files.list(ACCOUNT, namespace));
      const selector = { matchLabels: { even: 'true' } };
      expect(live.list(ACCOUNT, namespace, selector)).toEqual(files.list(ACCOUNT, namespace, selector));
      expect(live.get(ACCOUNT, namespace, 'a')).toEqual(files.get(ACCOUNT, namespace, 'a'));
    }
    expect(live.list(WIDGET)).toEqual([]);
  });
});

function keyOf({ metadata }: { metadata: { namespace: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}
