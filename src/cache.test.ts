import { expect, test } from 'vitest';
import { cacheByObject, cacheByTexts } from './cache.ts';

test('makes a value once for the same texts', () => {
  const cache = cacheByTexts<object>({ entries: 100, keyLength: 100 });
  const first = cache(['a'], () => ({}));
  expect(cache(['a'], () => ({}))).toBe(first);
  expect(cache(['b'], () => ({}))).not.toBe(first);
});

test('starts over after as many entries as it is given', () => {
  const cache = cacheByTexts<object>({ entries: 2, keyLength: 100 });
  const first = cache(['a'], () => ({}));
  const second = cache(['b'], () => ({}));
  expect(cache(['a'], () => ({}))).toBe(first);
  expect(cache(['b'], () => ({}))).toBe(second);
  cache(['c'], () => ({}));
  expect(cache(['a'], () => ({}))).not.toBe(first);
});

test('does not keep values for long texts', () => {
  const cache = cacheByTexts<object>({ entries: 100, keyLength: 100 });
  const texts = ['x'.repeat(100)];
  expect(cache(texts, () => ({}))).not.toBe(cache(texts, () => ({})));
});

test('does not keep large values, nor values for very long texts', () => {
  const cache = cacheByTexts<readonly string[]>({ entries: 100, isSmall: ({ length }) => length < 2 });
  const small = cache(['a'], () => ['one']);
  expect(cache(['a'], () => ['one'])).toBe(small);
  const large = cache(['b'], () => ['one', 'two']);
  expect(cache(['b'], () => ['one', 'two'])).not.toBe(large);
  const texts = ['x'.repeat(10_000)];
  expect(cache(texts, () => [])).not.toBe(cache(texts, () => []));
});

test('distinguishes lists of texts', () => {
  const lists = [
    ['a', 'b'],
    ['ab'],
    ['a', 'b', undefined],
    ['a', undefined, 'b'],
    ['1:a1:b'],
    ['', 'ab'],
    [],
  ];
  const cache = cacheByTexts<object>({ entries: 100, keyLength: 100 });
  const values = lists.map((texts) => cache(texts, () => ({})));
  expect(new Set(values).size).toBe(lists.length);
});

test('makes a value once for the same object, even if the value is undefined', () => {
  let made = 0;
  const make = cacheByObject((_: object) => {
    made++;
    return undefined;
  });
  const key = {};
  expect([make(key), make(key), make({})]).toEqual([undefined, undefined, undefined]);
  expect(made).toBe(2);
});
