import { expect, test } from 'vitest';
import type { ClusterView, KubeObject, Pod } from '../../sdk/index.ts';
import { ownersOf } from './owners.ts';

const owners = (count: number, kind: string, name = (index: number) => `${kind}-${index}`) =>
  Array.from({ length: count }, (_, index) => ({ apiVersion: 'apps/v1', kind, name: name(index), uid: 'u' }));
const podOf = (ownerReferences: object[]) => ({ metadata: { ownerReferences } }) as unknown as Pod;
const viewOf = (ownerReferences: object[]) =>
  ({
    get: (_ref, _namespace, name) =>
      name === 'rs' ? ({ metadata: { name, ownerReferences } } as unknown as KubeObject) : undefined,
    list: () => [],
  }) satisfies ClusterView;

test('a ReplicaSet is followed to its Deployment', () => {
  const view = viewOf(owners(1, 'Deployment'));
  const found = ownersOf(podOf([...owners(1, 'Unknown'), ...owners(1, 'ReplicaSet', () => 'rs')]), 'n', view);
  expect(found.map(({ kind }) => kind)).toEqual(['ReplicaSet', 'Deployment']);
});

test('10,000 owners that have 10,000 owners each are cut to a few', () => {
  const pod = podOf(owners(10_000, 'ReplicaSet', () => 'rs'));
  expect(ownersOf(pod, 'n', viewOf(owners(10_000, 'Deployment'))).length).toBeLessThan(1000);
});
