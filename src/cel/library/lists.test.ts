import { expect, test } from 'vitest';
import { escapeKey } from './escape-key.ts';
import { flattenList, rangeList, sliceList } from './lists.ts';

test('slice takes a range', () => {
  expect(sliceList([1, 2, 3], 1, 3n)).toEqual([2, 3]);
  expect(sliceList([1, 2, 3], 1, 1)).toEqual([]);
});

test.each([
  [-1, 1, 'cannot slice(-1, 1), negative indexes not supported'],
  [2, 1, 'cannot slice(2, 1), start index must be less than or equal to end index'],
  [0, 4, 'cannot slice(0, 4), list is length 3'],
])('slice(%i, %i) fails', (start, end, message) => {
  expect(() => sliceList([1, 2, 3], start, end)).toThrow(message);
});

test('flatten stops at the given depth', () => {
  const list = [1, [2, [3, [4]]]];
  expect(flattenList(list)).toEqual([1, 2, [3, [4]]]);
  expect(flattenList(list, 0)).toEqual(list);
  expect(flattenList(list, 2n)).toEqual([1, 2, 3, [4]]);
  expect(flattenList(list, 2n ** 62n)).toEqual([1, 2, 3, 4]);
  expect(() => flattenList(list, -1)).toThrow('level must be non-negative');
});

test('range counts from 0, within the cost of an expression', () => {
  expect(rangeList(3)).toEqual([0, 1, 2]);
  expect(rangeList(-3n)).toEqual([]);
  expect(() => rangeList(2n ** 60n)).toThrow('operation cancelled: actual cost limit exceeded');
});

test('a key is escaped for a JSON Pointer', () => {
  expect(escapeKey('a/b~c~1')).toBe('a~1b~0c~01');
});
