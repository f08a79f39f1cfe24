import { expect, test } from 'vitest';
import type { Pod, ResourceRequirements } from './generated/types.ts';
import { sharesResource, withoutShared } from './pod-resources.ts';

test.each<[ResourceRequirements | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ requests: { cpu: '1' } }, true],
  [{ limits: { cpu: 1 } }, true],
  [{ requests: { memory: '1Gi' }, limits: { memory: '1Gi' } }, false],
])('a Pod with resources %j shares its cpu: %s', (resources, expected) => {
  expect(sharesResource(podWith(resources), 'cpu')).toBe(expected);
});

test('an added container requests no resource that the Pod sets', () => {
  const wanted = {
    claims: [{ name: 'gpu' }],
    requests: { cpu: '50m', memory: '64Mi' },
    limits: { cpu: '500m' },
  };
  expect(withoutShared(wanted, podWith({ limits: { cpu: '1' } }))).toEqual({
    claims: [{ name: 'gpu' }],
    requests: { memory: '64Mi' },
    limits: {},
  });
});

test('an added container keeps its resources if the Pod sets none', () => {
  const wanted = { requests: { cpu: '50m' } };
  expect(withoutShared(wanted, podWith(undefined))).toBe(wanted);
});

function podWith(resources: ResourceRequirements | undefined): Pod {
  return { metadata: {}, spec: { containers: [], ...(resources && { resources }) } };
}
