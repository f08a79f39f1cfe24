import { expect, test } from 'vitest';
import { createReviewLimiter } from './review-limiter.ts';

const nothing = () => {};

test('admits as many reviews as its limit, and more when some are done', () => {
  const limiter = createReviewLimiter(2);
  const first = limiter.acquire('a', nothing);
  limiter.acquire('a', nothing);
  expect(limiter.acquire('a', nothing)).toBeUndefined();
  first?.();
  expect(limiter.inFlight).toBe(1);
  expect(limiter.acquire('a', nothing)).toBeTypeOf('function');
});

test('a place is freed only once, however often it is released', () => {
  const limiter = createReviewLimiter(2);
  limiter.acquire('a', nothing);
  const release = limiter.acquire('a', nothing);
  release?.();
  release?.();
  expect(limiter.inFlight).toBe(1);
});

test('the newest reviews of the peer that holds the most give way, until all have the same', () => {
  const limiter = createReviewLimiter(5);
  const gone: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) limiter.acquire('a', () => gone.push(name));
  for (const name of ['b1', 'b2']) expect(limiter.acquire('b', () => gone.push(name))).toBeDefined();
  expect(gone).toEqual(['a5', 'a4']);
  expect(limiter.acquire('b', nothing)).toBeUndefined();
  expect(limiter.acquire('a', nothing)).toBeUndefined();
  expect(limiter.acquire('c', nothing)).toBeDefined();
  expect(gone).toEqual(['a5', 'a4', 'a3']);
  expect(limiter.inFlight).toBe(5);
});

test('a review that has given way frees no place when it is over', () => {
  const limiter = createReviewLimiter(2);
  limiter.acquire('a', nothing);
  const release = limiter.acquire('a', nothing);
  limiter.acquire('b', nothing);
  release?.();
  expect(limiter.inFlight).toBe(2);
});
