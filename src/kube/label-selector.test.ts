import { expect, test } from 'vitest';
import { type LabelSelector, matchesSelector } from './label-selector.ts';

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
