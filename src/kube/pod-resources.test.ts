import { expect, test } from 'vitest';
import type { ResourceRequirements } from './generated/types.ts';
import { sharesResource } from './pod-resources.ts';

test.each<[ResourceRequirements | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ requests: { cpu: '1' } }, true],
  [{ limits: { cpu: 1 } }, true],
  [{ requests: { memory: '1Gi' }, limits: { memory: '1Gi' } }, false],
])('that a Pod with resources %j shares its cpu is %s', (resources, expected) => {
  const pod = { metadata: {}, spec: { containers: [], ...(resources && { resources }) } };
  expect(sharesResource(pod, 'cpu')).toBe(expected);
});
