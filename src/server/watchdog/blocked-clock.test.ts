import { expect, test } from 'vitest';
import { createBlockedClock } from './blocked-clock.ts';

test('adds up the checks without a new beat, and starts over with the next one', () => {
  const clock = createBlockedClock(100);
  expect([1, 1, 1].map(clock.look)).toEqual([0, 100, 200]);
  expect(clock.blocked()).toBe(200);
  expect([2, 2].map(clock.look)).toEqual([0, 100]);
});
