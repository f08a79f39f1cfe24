import { describe, expect, it, onTestFinished } from 'vitest';
import { withFailedReads } from '../../src/admission/with-failed-reads.ts';
import { createClient } from '../../src/cluster/client/client.ts';
import { snapshotView } from '../../src/cluster/snapshot.ts';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { createLiveView } from '../../src/cluster/views/live-view.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { builtin, groupOf, type ResourceRef } from '../../src/kube/resource.ts';
import type { ClusterView } from '../../src/sdk/cluster-view.ts';
import type { ReadRef } from '../../src/sdk/reads.ts';
import { declaredView } from '../../src/testing/declared-view.ts';
import { answer, event, type Handler, startFakeApiServer } from './fake-api-server.ts';
import { soon } from './live-view-rig.ts';

const MAP = builtin('ConfigMap');
const NODE = builtin('Node');
const WIDGET = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
};
const OTHER_WIDGET = { ...WIDGET, group: 'other.example.com' };
const KINDS = [MAP, NODE, WIDGET, OTHER_WIDGET];

const UNREADABLE = { need: { ref: MAP, namespace: 'a', name: 'unreadable' }, reason: 'timed out' };

type Open = (objects: readonly KubeObject[]) => ClusterView | Promise<ClusterView>;

/** Every implementation of ClusterView, with the same objects in the same order. */
const implementations: readonly (readonly [string, Open])[] = [
  ['the files view', filesView],
  ['the live view', (objects) => openLive(objects, KINDS)],
  ['the live view with several watches for a kind', (objects) => openLive(objects, scopes(objects))],
  ['the declared view', (objects) => declaredView(filesView(objects), KINDS)],
  [
    'the declared view with several reads of a kind',
    (objects) => declaredView(filesView(objects), scopes(objects)),
  ],
  ['the view of a snapshot', openSnapshot],
  [
    'the view of a review for which another object could not be read',
    (objects) => withFailedReads(filesView(objects), [UNREADABLE]),
  ],
];

describe.each(implementations)('%s', (_, open) => {
  it('gets an object by namespace and name', async () => {
    const view = await open([map('a/one'), map('b/one')]);
    expect(view.get(MAP, 'a', 'one')).toEqual(map('a/one'));
    expect(view.get(MAP, 'b', 'one')).toEqual(map('b/one'));
    expect(view.get(MAP, 'a', 'two')).toBeUndefined();
    expect(view.get(MAP, 'c', 'one')).toBeUndefined();
    expect(view.get(MAP, undefined, 'one')).toBeUndefined();
  });

  it('lists by namespace, then name, in whatever order the objects came', async () => {
    const view = await open(['b/b', 'a/c', 'b-c/a', 'a/a', 'b/a', 'a/b', 'B/c'].map(map));
    expect(keys(view.list(MAP))).toEqual(['B/c', 'a/a', 'a/b', 'a/c', 'b/a', 'b/b', 'b-c/a']);
    expect(keys(view.list(MAP, 'a'))).toEqual(['a/a', 'a/b', 'a/c']);
    expect(view.list(MAP, 'c')).toEqual([]);
  });

  it('lists many objects in the same order', async () => {
    const shuffled = Array.from({ length: 1000 }, (_, index) => {
      const number = (index * 617) % 1000;
      return `team-${number % 7}/map-${number}`;
    });
    const expected = shuffled.toSorted(
      (one, other) => compare(one.split('/')[0], other.split('/')[0]) || compare(one, other),
    );
    expect(keys((await open(shuffled.map(map))).list(MAP))).toEqual(expected);
  });

  it('ignores the namespace for a cluster-scoped kind', async () => {
    const view = await open([node('two'), node('one')]);
    for (const namespace of [undefined, '', 'a']) {
      expect(view.get(NODE, namespace, 'one')).toEqual(node('one'));
      expect(view.list(NODE, namespace)).toEqual([node('one'), node('two')]);
    }
  });

  it('lists what a selector matches, in the same order', async () => {
    const labelled = (key: string, labels?: object) => object(MAP, key, { ...(labels && { labels }) });
    const view = await open([
      labelled('b/gold', { tier: 'gold' }),
      labelled('a/plain'),
      labelled('a/iron', { tier: 'iron' }),
      labelled('a/gold', { tier: 'gold', old: 'yes' }),
    ]);
    const list = (selector: Parameters<ClusterView['list']>[2], namespace?: string) =>
      keys(view.list(MAP, namespace, selector));
    expect(list({})).toEqual(['a/gold', 'a/iron', 'a/plain', 'b/gold']);
    expect(list({ matchLabels: { tier: 'gold' } })).toEqual(['a/gold', 'b/gold']);
    expect(list({ matchLabels: { tier: 'gold' } }, 'b')).toEqual(['b/gold']);
    expect(list({ matchLabels: { tier: 'gold', old: 'no' } })).toEqual([]);
    const notIron = { key: 'tier', operator: 'NotIn', values: ['iron'] };
    expect(list({ matchExpressions: [notIron] })).toEqual(['a/gold', 'a/plain', 'b/gold']);
    expect(list({ matchExpressions: [notIron, { key: 'old', operator: 'DoesNotExist' }] }, 'a')).toEqual([
      'a/plain',
    ]);
  });

  it('holds nothing of an unknown kind', async () => {
    const view = await open([map('a/one')]);
    for (const ref of [{ ...WIDGET, kind: 'Gadget' }, WIDGET, builtin('Secret')]) {
      expect(view.get(ref, 'a', 'one')).toBeUndefined();
      expect(view.list(ref)).toEqual([]);
    }
  });

  it('distinguishes kinds of the same name by their group', async () => {
    const [one, other] = [object(WIDGET, 'a/w', { uid: '1' }), object(OTHER_WIDGET, 'a/w', { uid: '2' })];
    const view = await open([one, other]);
    expect(view.list(WIDGET)).toEqual([one]);
    expect(view.get(OTHER_WIDGET, 'a', 'w')).toEqual(other);
  });

  it('finds an object by any version of its kind', async () => {
    const view = await open([object(WIDGET, 'a/w')]);
    const beta = { ...WIDGET, version: 'v1beta1' };
    expect(view.get(beta, 'a', 'w')).toBe(view.get(WIDGET, 'a', 'w'));
    expect(view.list(beta)).toEqual(view.list(WIDGET));
  });

  it('finds an object without namespace only where no namespace is given', async () => {
    const stray = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stray' } };
    const view = await open([map('a/one'), stray]);
    expect(view.get(MAP, undefined, 'stray')).toEqual(stray);
    expect(view.get(MAP, 'a', 'stray')).toBeUndefined();
    expect(view.list(MAP)).toEqual([stray, map('a/one')]);
    expect(view.list(MAP, 'a')).toEqual([map('a/one')]);
  });

  it('holds the last of several objects with the same namespace and name', async () => {
    const versions = ['1', '2', '3'].map((uid) => object(MAP, 'a/one', { uid }));
    const view = await open([...versions, map('a/two')]);
    expect(view.get(MAP, 'a', 'one')).toEqual(versions[2]);
    expect(view.list(MAP)).toEqual([versions[2], map('a/two')]);
  });

  it('treats names of JavaScript object members as plain names', async () => {
    const view = await open([map('constructor/__proto__')]);
    expect(view.get(MAP, 'constructor', '__proto__')).toBeDefined();
    expect(view.get(MAP, '__proto__', 'constructor')).toBeUndefined();
    expect(view.list(MAP, 'toString')).toEqual([]);
    expect(view.list({ ...MAP, kind: 'constructor' })).toEqual([]);
  });

  it('returns the identical object each time, so that caches can be keyed by it', async () => {
    const view = await open([map('b/one'), map('a/one')]);
    const found = view.get(MAP, 'a', 'one');
    expect(view.get(MAP, 'a', 'one')).toBe(found);
    expect(view.list(MAP)[0]).toBe(found);
    expect(view.list(MAP, 'a', {})[0]).toBe(found);
  });

  it('returns the identical list each time, so that caches can be keyed by it', async () => {
    const view = await open([map('b/one'), map('a/one'), map('a/two')]);
    expect(view.list(MAP)).toBe(view.list(MAP));
    expect(view.list(MAP, 'a')).toBe(view.list(MAP, 'a'));
    expect(view.list(MAP, 'b')).not.toBe(view.list(MAP, 'a'));
  });
});

function object({ group, version, kind }: ResourceRef, key: string, more: object = {}): KubeObject {
  const [namespace = '', name] = key.split('/');
  const place = name === undefined ? { name: namespace } : { namespace, name };
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { ...place, ...more },
  };
}

function map(key: string): KubeObject {
  return object(MAP, key);
}

function node(name: string): KubeObject {
  return object(NODE, name);
}

function keys(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

function compare(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}

/** Reads that overlap: some objects by name, and each namespace. */
function scopes(objects: readonly KubeObject[]): readonly ReadRef[] {
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  return KINDS.flatMap((ref) => [
    ...objects
      .slice(0, 10)
      .filter((each) => isOf(ref, each))
      .map(({ metadata: { name = '' } }) => ({ ...ref, name })),
    ...[...namespaces].map((namespace) => ({ ...ref, namespace })),
  ]);
}

/** Half of the objects are in the cluster, the others in files. */
function openSnapshot(objects: readonly KubeObject[]): ClusterView {
  const middle = Math.floor(objects.length / 2);
  return snapshotView({ objects: objects.slice(0, middle), failures: [] }, objects.slice(middle));
}

function isOf({ kind, group }: ResourceRef, object: KubeObject): boolean {
  return object.kind === kind && groupOf(object.apiVersion) === group;
}

/** A live view of an API server that lists the first half of the objects, and reports the others as events of the watch. */
async function openLive(objects: readonly KubeObject[], reads: readonly ReadRef[]): Promise<ClusterView> {
  const server = await startFakeApiServer(serving(objects));
  const client = createClient(server.connection());
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    client.close();
    await server.stop();
  });
  const view = createLiveView({ client, reads });
  void view.start(stop.signal);
  const current = new Map(objects.map((each) => [`${each.apiVersion}/${keys([each])}`, each]));
  await soon(() => {
    expect(view.synced().synced).toBe(true);
    for (const each of current.values()) {
      const { namespace, name = '' } = each.metadata;
      const ref = KINDS.find((kind) => isOf(kind, each)) ?? MAP;
      expect(view.get(ref, namespace, name)).toEqual(each);
    }
  });
  return view;
}

function serving(objects: readonly KubeObject[]): Handler {
  return ({ path, query }, response) => {
    const [, group = '', namespace, resource] =
      /^\/apis?(?:\/([^/]+\.[^/]+))?\/v1(?:\/namespaces\/([^/]+))?\/(\w+)$/.exec(path) ?? [];
    const name = query.get('fieldSelector')?.replace('metadata.name=', '');
    const matching = (half: readonly KubeObject[]) =>
      half.filter(
        ({ apiVersion, kind, metadata }) =>
          groupOf(apiVersion) === group &&
          `${kind.toLowerCase()}s` === resource &&
          (namespace === undefined || metadata.namespace === namespace) &&
          (name === undefined || metadata.name === name),
      );
    const middle = Math.floor(objects.length / 2);
    if (query.has('watch')) {
      response.flushHeaders();
      const events = matching(objects.slice(middle)).map((each) => event('MODIFIED', each));
      response.write(events.join(''));
    } else {
      answer(response, {
        metadata: { resourceVersion: '1' },
        items: matching(objects.slice(0, middle)),
      });
    }
  };
}
