import { expect, it } from 'vitest';
import { isUpTo } from './resource-version.ts';

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
