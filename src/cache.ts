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

/**
 * The bounds of a cache in bytes. Texts may come from anyone who creates Pods: give `isSmall` unless a value is as small as its
 * texts, or has a size of its own that no text increases.
 */
export type Bounds<V> = { readonly entries: number } & (
  | { readonly keyLength: number }
  | { readonly isSmall: (value: V) => boolean }
);

const MAX_KEY_LENGTH = 4096;

/** Caches what follows from texts alone, unless it is too large to keep. Starts over when it is full. */
export function cacheByTexts<V>(bounds: Bounds<V>): (texts: Texts, make: () => V) => V {
  const keyLength = 'keyLength' in bounds ? bounds.keyLength : MAX_KEY_LENGTH;
  const isSmall = 'isSmall' in bounds ? bounds.isSmall : () => true;
  const entries = new Map<string, V>();
  return (texts, make) => {
    const key = keyFor(texts);
    const cached = entries.get(key);
    if (cached !== undefined) return cached;
    const value = make();
    if (key.length > keyLength || !isSmall(value)) return value;
    if (entries.size >= bounds.entries) entries.clear();
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
