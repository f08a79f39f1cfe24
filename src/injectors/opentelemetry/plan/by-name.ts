/** Lists of real Pods are short enough to be searched faster than they are indexed. */
const MOST_SEARCHED = 24;

/** Finds items of a list by name: the last one of several, as the kubelet does. */
export function byName<T extends { readonly name: string }>(
  items: readonly T[] = [],
): (name: string) => T | undefined {
  if (items.length <= MOST_SEARCHED) return (name) => lastOf(items, name);
  const index = new Map<string, T>();
  for (const item of items) index.set(item.name, item);
  return (name) => index.get(name);
}

export function lastOf<T extends { readonly name: string }>(
  items: readonly T[],
  name: string,
): T | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    if (items[index]?.name === name) return items[index];
  }
  return undefined;
}
