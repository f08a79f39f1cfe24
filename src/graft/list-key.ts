import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { ListShape } from './shape.ts';

/** Finds items of a list by their keys. */
export interface ItemFinder {
  /** The last item with the same keys, or -1. If an env name is repeated, the kubelet uses its last entry. */
  lastIndexOf(wanted: JsonObject): number;
  /** To be called after a change that may have moved items. */
  reset(): void;
}

/** Searching is fastest for the lists of real Pods. Beyond this many comparisons, an index keeps the time linear. */
const MOST_COMPARISONS = 4096;

/** `items` is called for every search, since the list changes during a merge. */
export function createItemFinder(
  items: () => readonly Json[],
  searches: number,
  shape: ListShape,
): ItemFinder {
  // Searches may add an item each.
  if ((items().length + searches) * searches <= MOST_COMPARISONS) {
    return {
      lastIndexOf: (wanted) => items().findLastIndex((item) => sameKeys(item, wanted, shape)),
      reset() {},
    };
  }
  const indices = new Map<string, number>();
  let indexed = 0;
  return {
    lastIndexOf(wanted) {
      const all = items();
      for (; indexed < all.length; indexed++) {
        const key = keyTextOf(all[indexed] as Json, shape);
        if (key !== undefined) indices.set(key, indexed);
      }
      return indices.get(keyTextOf(wanted, shape) ?? '') ?? -1;
    },
    reset() {
      indices.clear();
      indexed = 0;
    },
  };
}

export function sameKeys(item: Json, wanted: JsonObject, shape: ListShape): boolean {
  if (!isJsonObject(item)) return false;
  for (const key of shape.keys) {
    if (keyValue(item, key, shape) !== keyValue(wanted, key, shape)) return false;
  }
  return true;
}

/** The key of an item that it does not have; undefined if it has all of them. */
export function missingKey(item: Json, shape: ListShape): string | undefined {
  if (!isJsonObject(item)) return shape.keys[0];
  return shape.keys.find((key) => (keyValue(item, key, shape) ?? null) === null);
}

/** All keys of an item as one text; undefined if one is missing. */
export function keyTextOf(item: Json, shape: ListShape): string | undefined {
  if (!isJsonObject(item) || missingKey(item, shape) !== undefined) return undefined;
  const values = shape.keys.map((key) => keyValue(item, key, shape));
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(values);
}

/** Keys are fields such as `name`, which no prototype has: an own-property check is not needed. */
function keyValue(item: JsonObject, key: string, shape: ListShape): Json | undefined {
  return item[key] ?? shape.keyDefaults[key];
}
