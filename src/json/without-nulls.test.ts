import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { withoutNulls } from './without-nulls.ts';

test('returns a value without nulls as it is', () => {
  const value = { a: [1, { b: '' }], c: {} };
  expect(withoutNulls(value)).toBe(value);
});

test('removes null members and items, and shares the rest', () => {
  const clean = { x: [0, false, ''] };
  const result = withoutNulls({ a: null, b: [null, 1, { c: null }], clean, z: null }) as { clean: object };
  expect(result).toEqual({ b: [1, {}], clean });
  expect(result.clean).toBe(clean);
});

test('treats __proto__ as an ordinary key', () => {
  const result = withoutNulls(JSON.parse('{"__proto__": {"a": null}, "b": null}'));
  expect(JSON.stringify(result)).toBe('{"__proto__":{}}');
});

test('survives deep nesting', () => {
  let value: Json = null;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  expect(withoutNulls(value)).toBe(value);
});
