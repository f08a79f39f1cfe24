import { expect, test } from 'vitest';
import { matchesNamePattern } from './name-pattern.ts';

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['team-*', 'team-a', true],
  ['team-*', 'team', false],
  ['*-prod', 'shop-prod', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['a**b', 'ab', true],
])('%s matches %s: %s', (pattern, text, expected) => {
  expect(matchesNamePattern(pattern, text)).toBe(expected);
});

test('takes linear time for a text that nearly matches', () => {
  const pattern = `${'a*'.repeat(20)}b`;
  expect(matchesNamePattern(pattern, 'a'.repeat(100_000))).toBe(false);
});
