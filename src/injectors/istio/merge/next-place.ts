/**
 * Finds places in a list by key. Of items that share a key, such as environment variables of one name, each call returns the next;
 * undefined if there is none left. Linear, however many items share a key.
 */
export function nextPlace<T, K>(list: readonly T[], keyOf: (item: T) => K): (key: K) => number | undefined {
  const places = new Map<K, number>();
  /** By place, the next one of the same key. */
  const following: (number | undefined)[] = [];
  for (let place = list.length - 1; place >= 0; place--) {
    const key = keyOf(list[place] as T);
    following[place] = places.get(key);
    places.set(key, place);
  }
  return (key) => {
    const place = places.get(key);
    if (place === undefined) return undefined;
    const next = following[place];
    if (next === undefined) places.delete(key);
    else places.set(key, next);
    return place;
  };
}
