import { expect, it } from 'vitest';
import { builtin } from '../kube/resource.ts';
import { type Scope, scopedReads } from './reads.ts';

const MAP = builtin('ConfigMap');
const NODE = builtin('Node');
const map = (scope: Scope = {}) => ({ ...MAP, ...scope });
const scopes = (...reads: Parameters<typeof scopedReads>[0]) =>
  scopedReads(reads).map(({ ref, scope }) => ({ kind: ref.kind, ...scope }));

it('keeps different scopes apart', () => {
  expect(
    scopes(
      map({ namespace: 'a', name: 'x' }),
      map({ namespace: 'a', name: 'y' }),
      map({ namespace: 'b', name: 'x' }),
      map({ namespace: 'a', name: 'x' }),
    ),
  ).toEqual([
    { kind: 'ConfigMap', namespace: 'a', name: 'x' },
    { kind: 'ConfigMap', namespace: 'a', name: 'y' },
    { kind: 'ConfigMap', namespace: 'b', name: 'x' },
  ]);
});

it.each<[string, Scope]>([
  ['all of a kind', {}],
  ['a namespace', { namespace: 'a' }],
  ['a name in any namespace', { name: 'x' }],
])('merges narrow scopes into %s, in any order', (_, wide) => {
  const narrow = { namespace: 'a', name: 'x' };
  const elsewhere = { kind: 'Node' };
  expect(scopes(map(wide), NODE, map(narrow))).toEqual([{ kind: 'ConfigMap', ...wide }, elsewhere]);
  expect(scopes(map(narrow), NODE, map(wide))).toEqual([elsewhere, { kind: 'ConfigMap', ...wide }]);
});

it('keeps two scopes that only overlap', () => {
  expect(scopes(map({ namespace: 'a' }), map({ name: 'x' }))).toHaveLength(2);
});

it('lists all reads within a scope', () => {
  const reads = [
    { ...map({ namespace: 'a', name: 'x' }), reader: 'one' },
    { ...map({ namespace: 'a' }), reader: 'two' },
    { ...map({ namespace: 'b' }), reader: 'three' },
  ];
  const readers = scopedReads(reads).map((scoped) => scoped.reads.map(({ reader }) => reader));
  expect(readers).toEqual([['one', 'two'], ['three']]);
});

it('ignores namespaces of cluster-scoped kinds', () => {
  expect(scopes({ ...NODE, namespace: 'a', name: 'x' }, { ...NODE, name: 'x' })).toEqual([
    { kind: 'Node', name: 'x' },
  ]);
});
