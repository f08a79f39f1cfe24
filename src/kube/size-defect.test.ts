import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../json/json.ts';
import { sizeDefect } from './size-defect.ts';

const listOf = (length: number, item: Json) => ({ items: Array.from({ length }, () => item) });
const nested = (depth: number) => JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) as JsonObject;

test('empty maps count, of which 3 MiB take 64 MB of memory', () => {
  expect(sizeDefect(listOf(99_999, {}))).toBeUndefined();
  expect(sizeDefect(listOf(100_000, {}))).toBe('it has more than 100000 values');
});

test('members count as items do', () => {
  const members = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, '']));
  expect(sizeDefect(members)).toBe('it has more than 100000 values');
  expect(sizeDefect(listOf(50_000, { name: 'c1' }))).toBe('it has more than 100000 values');
});

test('an object may be nested 1,000 levels deep, anywhere', () => {
  expect(sizeDefect({ spec: nested(999), status: nested(999) })).toBeUndefined();
  expect(sizeDefect({ spec: nested(1000) })).toBe('spec is nested more than 1000 levels deep');
  expect(sizeDefect({ status: nested(100_000) })).toBe('status is nested more than 1000 levels deep');
});

test('deep nesting does not hide other values', () => {
  const hidden = { a: nested(2000), ...listOf(100_000, {}) };
  expect(sizeDefect({ spec: hidden })).toBe('spec is nested more than 1000 levels deep');
});

test('the key in the message is shortened', () => {
  expect(sizeDefect({ ['x'.repeat(100_000)]: nested(1001) })?.length).toBeLessThan(200);
});

test('of a Pod, only the nesting of the spec is limited', () => {
  expect(sizeDefect(nested(100_000), 100)).toBeUndefined();
  expect(sizeDefect({ metadata: nested(100_000), spec: nested(98) }, 100)).toBeUndefined();
  expect(sizeDefect({ spec: nested(100) }, 100)).toBe('spec is nested more than 100 levels deep');
});
