/** How many items go together at most, by number and by weight. */
export interface BatchLimits<T> {
  readonly items: number;
  readonly weight: number;
  readonly weightOf: (item: T) => number;
}

/**
 * Batches the items of one event-loop turn. A single item is not delayed: its turn ends at once. Each turn has one batch, so that
 * memory and sockets of a batch are free before the next one. `handle` returns how many it has handled; the others come again.
 */
export function inBatches<T>(
  limits: BatchLimits<T>,
  handle: (batch: readonly T[]) => number,
): (item: T) => void {
  let waiting: T[] = [];
  const flush = () => {
    const handled = handle(waiting.slice(0, endOfBatch(waiting, limits)));
    waiting = waiting.slice(handled);
    if (waiting.length > 0) setImmediate(flush);
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
}

/** A batch has at least one item, however heavy. */
function endOfBatch<T>(all: readonly T[], { items, weight, weightOf }: BatchLimits<T>): number {
  let total = weightOf(all[0] as T);
  let end = 1;
  for (; end < all.length && end < items; end++) {
    total += weightOf(all[end] as T);
    if (total > weight) break;
  }
  return end;
}
