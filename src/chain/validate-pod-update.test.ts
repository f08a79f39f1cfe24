import { expect, test } from 'vitest';
import { podUpdateErrors } from './validate-pod-update.ts';

const spec = {
  containers: [{ name: 'app', image: 'a:1' }],
  tolerations: [{ key: 'x', operator: 'Exists', tolerationSeconds: 300 }],
  terminationGracePeriodSeconds: 30,
};
const fields = (next: object) => podUpdateErrors({ ...spec, ...next }, spec).map(({ field }) => field);

test.each([
  { containers: [{ name: 'app', image: 'a:2' }] },
  { activeDeadlineSeconds: 5 },
  { tolerations: [...spec.tolerations, { key: 'y' }] },
  { tolerations: [{ key: 'x', operator: 'Exists', tolerationSeconds: 5 }] },
])('may change %j', (next) => {
  expect(fields(next)).toEqual([]);
});

test.each([
  ['spec.containers', { containers: [...spec.containers, { name: 'b', image: 'b' }] }],
  ['spec.initContainers', { initContainers: [{ name: 'b', image: 'b' }] }],
  ['spec.tolerations', { tolerations: [] }],
  ['spec', { containers: [{ name: 'app', image: 'a:1', stdin: true }] }],
  ['spec', { hostname: 'h' }],
  ['spec', { terminationGracePeriodSeconds: 1 }],
])('names %s for %j', (field, next) => {
  expect(fields(next)).toEqual([field]);
});

test('a negative grace period may become 1', () => {
  const old = { ...spec, terminationGracePeriodSeconds: -1 };
  expect(podUpdateErrors({ ...spec, terminationGracePeriodSeconds: 1 }, old)).toEqual([]);
});
