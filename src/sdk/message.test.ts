import { expect, test } from 'vitest';
import { firstMessages, quoted } from './message.ts';

test('shortens long values', () => {
  expect(quoted('a'.repeat(100))).toBe(`"${'a'.repeat(100)}"`);
  expect(quoted('a'.repeat(101))).toBe(`"${'a'.repeat(100)}…"`);
  expect(quoted(5)).toBe('"5"');
});

test('keeps the first messages and counts the others', () => {
  expect(firstMessages(['a', 'b'], 2)).toEqual(['a', 'b']);
  expect(firstMessages(['a', 'b', 'c', 'd'], 2)).toEqual(['a', 'b', 'and 2 more']);
});
