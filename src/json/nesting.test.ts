import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { isNestedDeeper } from './nesting.ts';

const nested = (depth: number) => JSON.parse('{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2)) as Json;

test.each([
  [100, false],
  [102, true],
  [200_000, true],
])('%s levels: deeper than 100: %s', (depth, expected) => {
  expect(isNestedDeeper(nested(depth), 100)).toBe(expected);
});

test('what is no list and no map has no levels', () => {
  for (const value of [undefined, null, 'text', 5, true]) expect(isNestedDeeper(value, 0)).toBe(false);
});
