/** More would not be worth their room: keys may come from whoever creates Pods. */
const LONGEST_KEY = 4096;
const MOST = 1000;

/** What was made for a key, or now made for it. */
export type Memory<T> = (key: string, make: () => T) => T;

/**
 * Remembers what follows from a few texts alone, such as the annotations that all Pods of a workload share. It forgets everything
 * when it is full, so that nobody can make it grow.
 */
export function newMemory<T>(): Memory<T> {
  const known = new Map<string, T>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = make();
    if (key.length > LONGEST_KEY) return value;
    if (known.size >= MOST) known.clear();
    known.set(key, value);
    return value;
  };
}

/** One key for several texts, whatever they hold: each is told by its length. */
export function keyOf(texts: readonly (string | undefined)[]): string {
  let key = '';
  for (const text of texts) key += text === undefined ? '-' : `${text.length}:${text}`;
  return key;
}

/** Makes once what follows from an object that does not change: a view hands out the same one until its state does. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = make(key);
    known.set(key, { value });
    return value;
  };
}
