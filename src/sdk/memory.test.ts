import { expect, test } from 'vitest';
import { keyOf, newMemory, oncePer } from './memory.ts';

test('what was made for a key is made once', () => {
  const memory = newMemory<object>();
  const first = memory('a', () => ({}));
  expect(memory('a', () => ({}))).toBe(first);
  expect(memory('b', () => ({}))).not.toBe(first);
});

test('a thousand others make it forget', () => {
  const memory = newMemory<object>();
  const first = memory('a', () => ({}));
  for (let index = 0; index < 1000; index++) memory(`other ${index}`, () => ({}));
  expect(memory('a', () => ({}))).not.toBe(first);
});

test('a long key is not kept', () => {
  const memory = newMemory<object>();
  const key = 'x'.repeat(10_000);
  expect(memory(key, () => ({}))).not.toBe(memory(key, () => ({})));
});

test('different texts have different keys', () => {
  const lists = [
    ['a', 'b'],
    ['ab'],
    ['a', 'b', undefined],
    ['a', undefined, 'b'],
    ['1:a1:b'],
    ['', 'ab'],
    [],
  ];
  expect(new Set(lists.map(keyOf)).size).toBe(lists.length);
});

test('what follows from an object is made once, also where that is nothing', () => {
  let made = 0;
  const make = oncePer((_: object) => {
    made++;
    return undefined;
  });
  const key = {};
  expect([make(key), make(key), make({})]).toEqual([undefined, undefined, undefined]);
  expect(made).toBe(2);
});
