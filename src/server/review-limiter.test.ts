import { expect, test } from 'vitest';
import { createReviewLimiter } from './review-limiter.ts';

test('admits as many reviews as its limit, and more when some are done', () => {
  const limiter = createReviewLimiter(2);
  const first = limiter.acquire();
  limiter.acquire();
  expect(limiter.acquire()).toBeUndefined();
  first?.();
  expect(limiter.inFlight).toBe(1);
  expect(limiter.acquire()).toBeTypeOf('function');
});

test('a place is freed only once, however often it is released', () => {
  const limiter = createReviewLimiter(2);
  limiter.acquire();
  const release = limiter.acquire();
  release?.();
  release?.();
  expect(limiter.inFlight).toBe(1);
});
