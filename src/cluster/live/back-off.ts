const FIRST_MS = 200;
const LONGEST_MS = 10_000;

export interface BackOff {
  /** Twice as long each time, up to a limit; half of it by chance, so that replicas do not come back in step. */
  next(): number;
  reset(): void;
}

export function createBackOff(random: () => number): BackOff {
  let longest = FIRST_MS;
  return {
    next() {
      const delay = (longest / 2) * (1 + random());
      longest = Math.min(2 * longest, LONGEST_MS);
      return delay;
    },
    reset() {
      longest = FIRST_MS;
    },
  };
}
