import { expect, it } from 'vitest';
import { inOrder, moved } from './injector-order.ts';

it("keeps the user's order when the file gains and loses injectors", () => {
  expect(inOrder(['a', 'b', 'new'], ['b', 'gone', 'a'])).toEqual(['b', 'a', 'new']);
});

it('moves a name to a place', () => {
  expect(moved(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
});

it('leaves the list alone beyond its ends', () => {
  const names = ['a', 'b'];
  expect(moved(names, 'a', -1)).toBe(names);
  expect(moved(names, 'b', 2)).toBe(names);
});
