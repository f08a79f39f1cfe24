import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/kube-object.ts';
import { KindStore } from './kind-store.ts';

let store: KindStore;
beforeEach(() => {
  store = new KindStore();
});
const object = (key: string, resourceVersion: string): KubeObject => {
  const [namespace = '', name = ''] = key.split('/');
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, resourceVersion } };
};
const keys = (namespace?: string) =>
  store.list(namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe('objects', () => {
  it('are listed by namespace and name, whenever they came', () => {
    store.replace([object('b/b', '1'), object('a/z', '2')], '3', 0);
    expect(keys()).toEqual(['a/z', 'b/b']);
    store.put(object('b/a', '4'));
    expect(keys()).toEqual(['a/z', 'b/a', 'b/b']);
    expect(keys('b')).toEqual(['b/a', 'b/b']);
    expect(keys('c')).toEqual([]);
    store.remove(object('a/z', '5'));
    expect(keys()).toEqual(['b/a', 'b/b']);
    expect(store.size).toBe(2);
  });

  it('are replaced as a whole by a list', () => {
    store.replace([object('a/a', '1')], '1', 0);
    store.replace([object('a/b', '2')], '2', 0);
    expect(keys()).toEqual(['a/b']);
    expect(store.size).toBe(1);
  });

  it('may have names that JavaScript has for itself', () => {
    store.put(object('a/__proto__', '1'));
    expect(store.get('a', '__proto__')).toBeDefined();
    expect(store.get('a', 'constructor')).toBeUndefined();
    expect(store.get('constructor', 'a')).toBeUndefined();
  });
});

describe('an object that only a live read has seen', () => {
  it('counts until the watch has come as far', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.reached('11', 0);
    expect(keys()).toEqual(['a/a']);
    store.reached('12', 0);
    expect(keys()).toEqual([]);
  });

  it('stays when the watch tells of it', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.put(object('a/a', '12'));
    store.reached('12', 0);
    store.reached('20', 0);
    expect(keys()).toEqual(['a/a']);
  });

  it('does not count when the watch has come further already: it is gone again', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '9'), 0);
    expect(keys()).toEqual([]);
  });

  it('gives way to what is there', () => {
    store.put(object('a/a', '15'));
    store.putAhead(object('a/a', '12'), 0);
    expect(store.get('a', 'a')?.metadata.resourceVersion).toBe('15');
  });

  it('outlives an older list, and not a newer one', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.replace([object('a/b', '3')], '11', 0);
    expect(keys()).toEqual(['a/a', 'a/b']);
    store.replace([object('a/b', '3')], '13', 0);
    expect(keys()).toEqual(['a/b']);
  });

  it('counts for half a minute where versions are no numbers', () => {
    store.replace([], 'x10', 0);
    store.putAhead(object('a/a', 'x12'), 1_000);
    store.reached('x99', 30_999);
    expect(keys()).toEqual(['a/a']);
    store.reached('x99', 31_000);
    expect(keys()).toEqual([]);
  });
});
