import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { ListShape } from './shape.ts';

/** Searching is fastest for the lists of real Pods. Beyond this many comparisons, an index keeps the time linear. */
const MOST_COMPARISONS = 4096;

/** Finds items of a list by their keys while the list changes. */
export class ItemFinder {
  readonly #list: { readonly items: readonly Json[] };
  readonly #shape: ListShape;
  readonly #indices: Map<string, number> | undefined;
  #indexed = 0;

  constructor(list: { readonly items: readonly Json[] }, searches: number, shape: ListShape) {
    this.#list = list;
    this.#shape = shape;
    // Searches may add an item each.
    if ((list.items.length + searches) * searches > MOST_COMPARISONS) this.#indices = new Map();
  }

  /** The last item with the same keys, or -1. If an env name is repeated, the kubelet uses its last entry. */
  lastIndexOf(wanted: JsonObject): number {
    const { items } = this.#list;
    if (this.#indices === undefined) return lastWithKeys(items, wanted, this.#shape);
    for (; this.#indexed < items.length; this.#indexed++) {
      const key = keyTextOf(items[this.#indexed] as Json, this.#shape);
      if (key !== undefined) this.#indices.set(key, this.#indexed);
    }
    return this.#indices.get(keyTextOf(wanted, this.#shape) ?? '') ?? -1;
  }

  /** To be called after a change that may have moved items. */
  reset(): void {
    this.#indices?.clear();
    this.#indexed = 0;
  }
}

/** The last item with the same keys, or -1. */
export function lastWithKeys(items: readonly Json[], wanted: JsonObject, shape: ListShape): number {
  const [first] = shape.keys;
  const value = keyValue(wanted, first, shape);
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as Json;
    if (!isJsonObject(item) || keyValue(item, first, shape) !== value) continue;
    if (shape.keys.length === 1 || sameKeys(item, wanted, shape)) return index;
  }
  return -1;
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
  for (const key of shape.keys) if ((keyValue(item, key, shape) ?? null) === null) return key;
  return undefined;
}

/** All keys of an item as one text; undefined if one is missing. */
export function keyTextOf(item: Json, shape: ListShape): string | undefined {
  if (!isJsonObject(item) || missingKey(item, shape) !== undefined) return undefined;
  const values = shape.keys.map((key) => keyValue(item, key, shape));
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(values);
}

/** The keys of items, as texts that are unique in the list: a repeated one, such as an env name, gets a counter. */
export function uniqueKeys(items: readonly Json[], shape: ListShape): (string | undefined)[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyTextOf(item, shape);
    if (key === undefined) return undefined;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}\n${count}`;
  });
}

/** Keys are fields such as `name`, which no prototype has: an own-property check is not needed. */
function keyValue(item: JsonObject, key: string, shape: ListShape): Json | undefined {
  return item[key] ?? shape.keyDefaults[key];
}
