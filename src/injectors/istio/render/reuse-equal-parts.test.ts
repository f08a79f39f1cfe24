import { expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { reuseEqualParts } from './reuse-equal-parts.ts';

const earlier = {
  metadata: { labels: { a: '1' } },
  spec: { volumes: [{ name: 'a' }, { name: 'b', x: null }] },
};

test('an equal value is the earlier one', () => {
  expect(reuseEqualParts(structuredClone(earlier), earlier)).toBe(earlier);
});

test('equal parts of another value are shared, and nothing else changes', () => {
  const value = { ...structuredClone(earlier), metadata: { labels: { a: '2' } }, status: {} };
  const shared = reuseEqualParts(value, earlier) as JsonObject;
  expect(shared).toEqual(value);
  expect(shared.spec).toBe(earlier.spec);
});

test('items of a longer or shorter list are shared', () => {
  const [a, b] = earlier.spec.volumes;
  const longer = reuseEqualParts(
    [{ name: 'a' }, { name: 'b', x: null }, { name: 'c' }],
    earlier.spec.volumes,
  );
  expect(longer).toEqual([a, b, { name: 'c' }]);
  expect((longer as readonly unknown[])[1]).toBe(b);
  expect(reuseEqualParts([{ name: 'a' }], earlier.spec.volumes)).toEqual([a]);
});

test.each([
  ['another order of members', { b: 2, a: 1 }, { a: 1, b: 2 }],
  ['other types', { a: [] }, { a: {} }],
  ['a scalar', 1, { a: 1 }],
  ['a list', [{ a: 1 }], { a: 1 }],
  ['fewer members', { a: 1 }, { a: 1, b: 2 }],
])('%s is not the earlier value', (_, value, other) => {
  const shared = reuseEqualParts(value, other);
  expect(shared).not.toBe(other);
  expect(JSON.stringify(shared)).toBe(JSON.stringify(value));
});

test('a member named __proto__ is kept', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "b": 1}');
  expect(JSON.stringify(reuseEqualParts(value, { b: 2 }))).toBe(JSON.stringify(value));
});
