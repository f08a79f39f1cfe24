/** Caches what `make` derives from an immutable object. An entry lives as long as its object. */
export function cacheByObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const entries = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { value: make(key) };
      entries.set(key, entry);
    }
    return entry.value;
  };
}

/** Every text that the value depends on; `undefined` for one that is not set. */
export type Texts = readonly (string | undefined)[];

/** Keys may come from anyone who creates Pods, so both their number and their size are bounded. */
const MAX_ENTRIES = 1000;
const MAX_KEY_LENGTH = 4096;

/** Caches what follows from texts alone, unless it is too large to keep. Starts over when it is full. */
export function cacheByTexts<V>(
  maxEntries = MAX_ENTRIES,
  isSmall: (value: V) => boolean = () => true,
): (texts: Texts, make: () => V) => V {
  const entries = new Map<string, V>();
  return (texts, make) => {
    const key = keyFor(texts);
    const cached = entries.get(key);
    if (cached !== undefined) return cached;
    const value = make();
    if (key.length > MAX_KEY_LENGTH || !isSmall(value)) return value;
    if (entries.size >= maxEntries) entries.clear();
    entries.set(key, value);
    return value;
  };
}

/** Length prefixes keep `['a', 'b']` and `['ab']` apart, whatever the texts contain. */
function keyFor(texts: Texts): string {
  let key = '';
  for (const text of texts) key += text === undefined ? '-' : `${text.length}:${text}`;
  return key;
}
