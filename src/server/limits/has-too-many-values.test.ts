import { expect, test } from 'vitest';
import { hasTooManyValues } from './has-too-many-values.ts';

const over = (text: string) => hasTooManyValues(Buffer.from(text));

test('empty maps and lists count', () => {
  expect(over(`[${'{},'.repeat(200_000)}{}]`)).toBe(true);
  expect(over(`[${'{},'.repeat(199_990)}{}]`)).toBe(false);
  expect(over('['.repeat(400_001) + ']'.repeat(400_001))).toBe(true);
});

test('members count', () => {
  expect(over(`{${'"a":1,'.repeat(400_000)}"a":1}`)).toBe(true);
});

test('texts do not count, whatever is in them', () => {
  expect(over(JSON.stringify({ text: '[{,'.repeat(1_000_000) }))).toBe(false);
  expect(over(JSON.stringify({ text: '[\\"{",\\'.repeat(500_000), more: ',,' }))).toBe(false);
  expect(over(JSON.stringify(['x\\', ...Array.from({ length: 400_001 }, () => 1)]))).toBe(true);
});

test('a text without an end is not read twice', () => {
  expect(over(`"${'\\'.repeat(1_000_000)}`)).toBe(false);
});
