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

test('deep nesting is not counted, and does not overflow the stack', () => {
  expect(sizeDefect(nested(100_000))).toBeUndefined();
  expect(sizeDefect({ spec: nested(100_000) })).toBeUndefined();
});

test('the nesting of a spec can be limited', () => {
  expect(sizeDefect({ metadata: nested(500), spec: nested(98) }, 100)).toBeUndefined();
  expect(sizeDefect({ spec: nested(100) }, 100)).toBe('spec is nested more than 100 levels deep');
});
