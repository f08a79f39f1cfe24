import { expect, test } from 'vitest';
import { matchesNamePattern, patternsOverlap } from './name-pattern.ts';

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

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a*', 'ab', true],
  ['a*', 'b', false],
  ['*', 'a-*', true],
  ['a-*', 'b-*', false],
  ['a-*', 'a-b-*', true],
  ['*-a', '*-b', false],
  ['a-*', '*-b', true],
  ['a*b*c', 'a*x*c', true],
  ['a*b', 'ac*b', true],
  ['a*b', '*c', false],
])('%s and %s overlap: %s', (one, other, expected) => {
  expect(patternsOverlap(one, other)).toBe(expected);
  expect(patternsOverlap(other, one)).toBe(expected);
});
