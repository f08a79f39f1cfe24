import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/kube-object.ts';
import { isUpTo, KindStore } from './kind-store.ts';

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
  it('are listed by namespace and name, in any order of arrival', () => {
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

  it('may be named like members of JavaScript objects', () => {
    store.put(object('a/__proto__', '1'));
    expect(store.get('a', '__proto__')).toBeDefined();
    expect(store.get('a', 'constructor')).toBeUndefined();
    expect(store.get('constructor', 'a')).toBeUndefined();
  });
});

describe('an object that only a live read has found', () => {
  it('stays until the watch has reached its version', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.advance('11', 0);
    expect(keys()).toEqual(['a/a']);
    store.advance('12', 0);
    expect(keys()).toEqual([]);
  });

  it('stays when the watch reports it', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.put(object('a/a', '12'));
    store.advance('12', 0);
    store.advance('20', 0);
    expect(keys()).toEqual(['a/a']);
  });

  it('is dropped if the watch is past its version: it has been deleted since', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '9'), 0);
    expect(keys()).toEqual([]);
  });

  it('does not replace an object that the watch has reported', () => {
    store.put(object('a/a', '15'));
    store.putAhead(object('a/a', '12'), 0);
    expect(store.get('a', 'a')?.metadata.resourceVersion).toBe('15');
  });

  it('outlives an older list, but not a newer one', () => {
    store.replace([], '10', 0);
    store.putAhead(object('a/a', '12'), 0);
    store.replace([object('a/b', '3')], '11', 0);
    expect(keys()).toEqual(['a/a', 'a/b']);
    store.replace([object('a/b', '3')], '13', 0);
    expect(keys()).toEqual(['a/b']);
  });

  it('stays for half a minute if versions are not numbers', () => {
    store.replace([], 'x10', 0);
    store.putAhead(object('a/a', 'x12'), 1_000);
    store.advance('x99', 30_999);
    expect(keys()).toEqual(['a/a']);
    store.advance('x99', 31_000);
    expect(keys()).toEqual([]);
  });
});

it.each([
  ['7', '7', true],
  ['7', '10', true],
  ['10', '7', false],
  ['90071992547409931', '90071992547409930', false],
  ['abc', '7', undefined],
  ['7', '', undefined],
  [undefined, '7', undefined],
])('compares %s with %s', (one, other, expected) => {
  expect(isUpTo(one, other)).toBe(expected);
});
