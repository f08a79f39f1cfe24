import { expect, test } from 'vitest';
import { ownerOf } from './owner.ts';

test.each([
  ['ReplicaSet', 'web-7d4', { 'pod-template-hash': '7d4' }, 'Deployment', 'web'],
  ['ReplicaSet', 'web7d4', { 'pod-template-hash': '7d4' }, 'Deployment', 'web7d4'],
  ['ReplicaSet', 'web-7d4', { 'rollouts-pod-template-hash': '7d4' }, 'Rollout', 'web'],
  ['ReplicaSet', 'web-other', { 'rollouts-pod-template-hash': '7d4' }, 'ReplicaSet', 'web-other'],
  ['Job', 'nightly-12345678', {}, 'CronJob', 'nightly'],
  ['Job', '-12345678', {}, 'Job', '-12345678'],
  ['Job', 'nightly-1234567', {}, 'Job', 'nightly-1234567'],
])('a Pod of %s %s with %j belongs to %s %s', (kind, name, labels, ownerKind, ownerName) => {
  const ownerReferences = [{ apiVersion: 'v1', kind, name, uid: '1', controller: true }];
  const owner = ownerOf({
    metadata: { generateName: 'a-', labels, ownerReferences },
    spec: { containers: [] },
  });
  expect([owner.kind, owner.name]).toEqual([ownerKind, ownerName]);
});
