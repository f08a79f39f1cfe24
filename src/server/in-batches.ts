/** How many items go together at most, by number and by weight. */
export interface BatchLimits<T> {
  readonly items: number;
  readonly weight: number;
  readonly weightOf: (item: T) => number;
}

/** Batches the items of one event-loop turn. A single item is not delayed: its turn ends at once. */
export function inBatches<T>(
  limits: BatchLimits<T>,
  handle: (batch: readonly T[]) => void,
): (item: T) => void {
  let waiting: T[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; ) {
      const end = endOfBatch(all, start, limits);
      handle(all.slice(start, end));
      start = end;
    }
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
}

/** A batch has at least one item, however heavy. */
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
