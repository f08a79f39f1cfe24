/** How much goes together: so many items at most, and of those that are heavy fewer. */
export interface BatchLimits<T> {
  readonly items: number;
  readonly weight: number;
  readonly weightOf: (item: T) => number;
}

/**
 * Hands on together what came in during one turn of the event loop, within limits. One that comes alone waits for nothing: the
 * turn is over as soon as no other socket has anything to read.
 */
export function inBatches<T>(
  limits: BatchLimits<T>,
  handle: (batch: readonly T[]) => void,
): (item: T) => void {
  let waiting: T[] = [];
  const handOn = () => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; ) {
      const end = endOfBatch(all, start, limits);
      handle(all.slice(start, end));
      start = end;
    }
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(handOn);
  };
}

/** One at least, however heavy. */
function endOfBatch<T>(
  all: readonly T[],
  start: number,
  { items, weight, weightOf }: BatchLimits<T>,
): number {
  let total = weightOf(all[start] as T);
  let end = start + 1;
  for (; end < all.length && end - start < items; end++) {
    total += weightOf(all[end] as T);
    if (total > weight) break;
  }
  return end;
}
