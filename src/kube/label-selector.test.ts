import { expect, test } from 'vitest';
import {
  isSatisfiable,
  type LabelSelector,
  matchesSelector,
  negated,
  type Requirement,
} from './label-selector.ts';

const labels = { app: 'web', tier: 'front' };

test.each([
  [{}, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'db' } }, false],
  [{ matchLabels: { app: 'web', other: 'x' } }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
  [{ matchExpressions: [{ key: 'none', operator: 'In', values: ['db'] }] }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  [{ matchExpressions: [{ key: 'none', operator: 'NotIn', values: ['web'] }] }, true],
  [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, false],
  [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
] as [LabelSelector, boolean][])('%j: %s', (selector, expected) => {
  expect(matchesSelector(selector, labels)).toBe(expected);
});

const oneOf = (...values: string[]): Requirement => ({ key: 'app', operator: 'In', values });
const noneOf = (...values: string[]): Requirement => ({ key: 'app', operator: 'NotIn', values });
const exists: Requirement = { key: 'app', operator: 'Exists' };

test.each<[Requirement[], boolean]>([
  [[], true],
  [[oneOf('a', 'b'), oneOf('b', 'c')], true],
  [[oneOf('a'), oneOf('b')], false],
  [[oneOf('a'), { ...oneOf('b'), key: 'tier' }], true],
  [[oneOf('a'), noneOf('a')], false],
  [[oneOf('a', 'b'), noneOf('a')], true],
  [[oneOf('a', 'b'), noneOf('a'), noneOf('b')], false],
  [[noneOf('a'), noneOf('b')], true],
  [[exists, noneOf('a')], true],
  [[exists, negated(exists)], false],
  [[oneOf('a'), negated(exists)], false],
  [[noneOf('a'), negated(exists)], true],
  [[oneOf()], false],
])('labels can meet %j: %s', (requirements, expected) => {
  expect(isSatisfiable(requirements)).toBe(expected);
});
