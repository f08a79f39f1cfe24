/** A reproducible source of random choices. */
export interface Random {
  /** From 0 up to, but not including, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order. */
  some<T>(items: readonly T[], probability: number): T[];
  shuffled<T>(items: readonly T[]): T[];
  list<T>(most: number, make: (index: number) => T): T[];
}

/** The same numbers always give the same choices. Each object has its own source, so that it can be reproduced alone. */
export function randomFrom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((hash, seed) => mix(hash ^ seed), 0x9e3779b9);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  const chance = (probability: number) => next() < probability;
  return {
    int,
    chance,
    pick: <T>(items: readonly T[]) => items[int(items.length)] as T,
    some: (items, probability) => items.filter(() => chance(probability)),
    shuffled(items) {
      const result = [...items];
      for (let at = result.length - 1; at > 0; at--) {
        const other = int(at + 1);
        [result[at], result[other]] = [result[other] as never, result[at] as never];
      }
      return result;
    },
    list: (most, make) => Array.from({ length: int(most + 1) }, (_, index) => make(index)),
  };
}

/** A 32-bit integer hash (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
