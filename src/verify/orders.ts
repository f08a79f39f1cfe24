/** All orders of up to this many items are tried; of more, samples. */
const ALL_UP_TO = 5;
const SAMPLES = 60;

/** The given order first. Samples are the same for the same seed. */
export function* ordersOf<T>(items: readonly T[], seed: number): Generator<readonly T[]> {
  if (items.length <= ALL_UP_TO) {
    yield* permutations(items);
    return;
  }
  yield items;
  yield items.toReversed();
  const random = numbersFrom(seed);
  for (let count = 2; count < SAMPLES; count++) {
    const next = [...items];
    for (let at = next.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [next[at], next[other]] = [next[other] as T, next[at] as T];
    }
    yield next;
  }
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) {
    yield items;
    return;
  }
  for (const [index, item] of items.entries()) {
    const rest = items.filter((_, at) => at !== index);
    for (const order of permutations(rest)) yield [item, ...order];
  }
}

/** Mulberry32: a small generator whose numbers depend on the seed alone. */
function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
