/** Limits the number of reviews that are under way at the same time. */
export interface ReviewLimiter {
  /** Takes a place and returns how to free it, which may be called more than once; undefined if all are taken. */
  acquire(): (() => void) | undefined;
  readonly inFlight: number;
}

export function createReviewLimiter(limit: number): ReviewLimiter {
  let inFlight = 0;
  return {
    acquire() {
      if (inFlight >= limit) return undefined;
      inFlight++;
      let isTaken = true;
      return () => {
        if (isTaken) inFlight--;
        isTaken = false;
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}
