import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeApiServer, refuse, startFakeApiServer } from '../../../test/cluster/fake-api-server.ts';
import { FakeCollection } from '../../../test/cluster/fake-collection.ts';
import { builtin } from '../../kube/resource.ts';
import type { ReadRef } from '../../sdk/reads.ts';
import { createClient, type KubeClient } from '../client/client.ts';
import { systemClock } from '../clock.ts';
import { createLiveView, type LiveView } from './live-view.ts';

const MAP = builtin('ConfigMap');
const roles = { ...MAP, namespace: 'eks', name: 'roles-map', fields: ['data'] };
const mesh = { ...MAP, namespace: 'mesh', name: 'istio', fields: ['data'] };
const canary = { ...MAP, namespace: 'mesh', name: 'canary' };

let server: FakeApiServer;
/** The collections that may be listed and watched, by path and required selector. All others are refused. */
let allowed: Map<string, FakeCollection>;
let client: KubeClient;
let stop: AbortController;
let logged: object[];

const clock = { ...systemClock, sleep: (_: number, signal: AbortSignal) => systemClock.sleep(5, signal) };

beforeEach(async () => {
  logged = [];
  allowed = new Map([['/api/v1/namespaces', new FakeCollection('')]]);
  server = await startFakeApiServer((call, response) => {
    const { path, query } = call;
    const selector = query.get('fieldSelector');
    const single = path.replace(/\/([^/]+)$/, '?metadata.name=$1');
    const collection = allowed.get(selector === null ? path : `${path}?${selector}`) ?? allowed.get(single);
    if (collection === undefined) return refuse(response, 403, 'Forbidden', 'not yours');
    collection.handle(call, response);
  });
  client = createClient(server.connection());
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  client.close();
  await server.stop();
});

function allow({ namespace, name }: { namespace?: string; name?: string }): FakeCollection {
  const path = `/api/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}configmaps`;
  const collection = new FakeCollection(namespace);
  allowed.set(name === undefined ? path : `${path}?metadata.name=${name}`, collection);
  return collection;
}

function start(...reads: ReadRef[]): LiveView {
  const log = {
    info: (fields: object) => void logged.push(fields),
    warn: (fields: object) => void logged.push(fields),
  };
  const view = createLiveView({ client, reads, log, clock, random: () => 0.5 });
  void view.start(stop.signal);
  return view;
}

async function startSynced(...reads: ReadRef[]): Promise<LiveView> {
  const view = start(...reads);
  await soon(() => expect(view.synced()).toEqual({ synced: true, detail: [] }));
  return view;
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });
const names = (view: LiveView, namespace?: string) =>
  view.list(MAP, namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
const dataOf = (view: LiveView, namespace: string, name: string) => view.get(MAP, namespace, name)?.data;
const asked = () => new Set(server.calls.map(({ path, query }) => `${path} ${query.get('fieldSelector')}`));

describe('an object that is read by name', () => {
  it('has its own list and watch', async () => {
    allow(roles).put('roles-map', { data: { config: '{}' } });
    allow(mesh).put('istio', { data: { mesh: 'a' } });
    const view = await startSynced(roles, mesh);
    expect(dataOf(view, 'eks', 'roles-map')).toEqual({ config: '{}' });
    expect(dataOf(view, 'mesh', 'istio')).toEqual({ mesh: 'a' });
    await soon(() => expect(server.calls.filter(({ query }) => query.has('watch'))).toHaveLength(3));
    expect(asked()).toEqual(
      new Set([
        '/api/v1/namespaces null',
        '/api/v1/namespaces/eks/configmaps metadata.name=roles-map',
        '/api/v1/namespaces/mesh/configmaps metadata.name=istio',
      ]),
    );
  });

  it('is followed when it is created, changed and deleted, regardless of other objects', async () => {
    const [one, other] = [allow(mesh), allow(canary)];
    other.put('canary');
    const view = await startSynced(mesh, canary);
    expect(names(view)).toEqual(['mesh/canary']);
    one.put('istio', { data: { mesh: 'a' } });
    await soon(() => expect(names(view, 'mesh')).toEqual(['mesh/canary', 'mesh/istio']));
    // A new list of one must not remove the other.
    one.forget();
    one.endWatches();
    one.put('istio', { data: { mesh: 'b' } });
    await soon(() => expect(dataOf(view, 'mesh', 'istio')).toEqual({ mesh: 'b' }));
    expect(names(view)).toEqual(['mesh/canary', 'mesh/istio']);
    one.remove('istio');
    await soon(() => expect(names(view)).toEqual(['mesh/canary']));
    expect(view.get(MAP, 'mesh', 'istio')).toBeUndefined();
  });

  it('may be read live, unlike other objects of its kind', async () => {
    const collection = allow(mesh);
    const view = createLiveView({ client, reads: [mesh], clock });
    collection.put('istio', { data: { mesh: 'a' }, binaryData: {} });
    const need = (namespace: string, name: string) => ({ ref: MAP, namespace, name });
    await view.read([need('mesh', 'istio'), need('mesh', 'other'), need('eks', 'istio')], 1_000);
    expect(server.calls.map(({ path }) => path)).toEqual(['/api/v1/namespaces/mesh/configmaps/istio']);
    expect(view.get(MAP, 'mesh', 'istio')).toMatchObject({ kind: 'ConfigMap', data: { mesh: 'a' } });
    expect(view.get(MAP, 'mesh', 'istio')).not.toHaveProperty('binaryData');
    expect(view.reads).toEqual({ found: 1, missing: 0, failed: 0 });
  });

  it('has its own entry in readiness, metrics and log', async () => {
    allow(mesh).put('istio');
    const view = start(mesh, roles);
    const refusal = 'Cannot list configmaps: 403 Forbidden: not yours';
    const detail = [`ConfigMap eks/roles-map: not listed yet (${refusal})`];
    await soon(() => expect(view.synced()).toEqual({ synced: false, detail }));
    expect(view.kinds()).toMatchObject([
      { kind: 'Namespace', within: '' },
      { kind: 'ConfigMap', within: 'mesh/istio', objects: 1, ageSeconds: expect.any(Number) },
      { kind: 'ConfigMap', within: 'eks/roles-map', objects: 0, ageSeconds: undefined },
    ]);
    expect(logged).toContainEqual({ kind: 'ConfigMap', within: 'eks/roles-map', error: refusal });
    allow(roles);
    await soon(() => expect(view.synced()).toEqual({ synced: true, detail: [] }));
  });
});

describe('overlapping scopes', () => {
  it('share the watch of the widest, and each object keeps the fields that are read of it', async () => {
    const everywhere = allow({});
    everywhere.put('other', { data: { a: 'b' } });
    const own = { ...MAP, namespace: 'default', name: 'own', fields: ['data'] };
    const view = await startSynced(own, { ...MAP, fields: [] });
    everywhere.put('own', { data: { c: 'd' } });
    await soon(() => expect(dataOf(view, 'default', 'own')).toEqual({ c: 'd' }));
    expect(view.get(MAP, 'default', 'other')).not.toHaveProperty('data');
    expect(asked()).toEqual(new Set(['/api/v1/namespaces null', '/api/v1/configmaps null']));
    await view.read([{ ref: MAP, namespace: 'anywhere', name: 'unknown' }], 1_000);
    expect(server.calls.at(-1)?.path).toBe('/api/v1/namespaces/anywhere/configmaps/unknown');
  });

  it('yield each object once, sorted by namespace and name', async () => {
    const inShop = allow({ namespace: 'shop' });
    inShop.put('settings-x', { data: { of: 'shop' } });
    inShop.put('a', { data: { of: 'shop' } });
    const named = new FakeCollection('shop');
    named.put('settings-x', { data: { of: 'shop' } });
    allowed.set('/api/v1/configmaps?metadata.name=settings-x', named);
    const namespaceRead = { ...MAP, namespace: 'shop', fields: [] };
    const view = await startSynced(namespaceRead, { ...MAP, name: 'settings-x', fields: ['data'] });
    expect(names(view)).toEqual(['shop/a', 'shop/settings-x']);
    expect(dataOf(view, 'shop', 'settings-x')).toEqual({ of: 'shop' });
    expect(view.list(MAP)[1]).toBe(view.get(MAP, 'shop', 'settings-x'));
    expect(dataOf(view, 'shop', 'a')).toBeUndefined();
    expect(view.kinds().map(({ within }) => within)).toEqual(['', 'shop/*', '*/settings-x']);
  });
});
