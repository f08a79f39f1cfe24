import { expect, test } from 'vitest';
import { ordersOf } from './orders.ts';

const texts = (items: string, seed = 1) => [...ordersOf([...items], seed)].map((order) => order.join(''));

test('up to five items come in all orders, the given one first', () => {
  expect(texts('abc')).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  expect(new Set(texts('abcde')).size).toBe(120);
});

test('more items come in samples that depend on the seed alone', () => {
  const orders = texts('abcdefg');
  expect(orders.slice(0, 2)).toEqual(['abcdefg', 'gfedcba']);
  expect(new Set(orders).size).toBeGreaterThan(50);
  expect(texts('abcdefg')).toEqual(orders);
  expect(texts('abcdefg', 2)).not.toEqual(orders);
});
