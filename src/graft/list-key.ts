import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { ListShape } from '../kube/shape.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { here, type Sink } from './sink.ts';

/** The last of several with the same keys: of repeated env names the kubelet uses that one. */
export function lastIndexOf(items: readonly Json[], wanted: JsonObject, shape: ListShape): number {
  return shape.keys.length === 1 && shape.keys[0] === 'name'
    ? lastIndexOfName(items, wanted.name)
    : lastIndexOfKeys(items, wanted, shape);
}

/** Nearly every list is one of named items, and is searched for every item of every overlay. */
function lastIndexOfName(items: readonly Json[], name: Json | undefined): number {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as JsonObject | null | undefined;
    if (typeof item === 'object' && item?.name === name) return index;
  }
  return -1;
}

function lastIndexOfKeys(items: readonly Json[], wanted: JsonObject, shape: ListShape): number {
  for (let index = items.length - 1; index >= 0; index--) {
    if (sameKeys(items[index] as Json, wanted, shape)) return index;
  }
  return -1;
}

export function sameKeys(item: Json, wanted: JsonObject, shape: ListShape): boolean {
  if (!isJsonObject(item)) return false;
  for (const key of shape.keys) {
    if (keyOf(item, key, shape) !== keyOf(wanted, key, shape)) return false;
  }
  return true;
}

/** An overlay's item, which must have the keys by which it is found. */
export function keyedItem(item: Json, shape: ListShape, sink: Sink): JsonObject {
  if (isJsonObject(item) && hasKeys(item, shape)) return item;
  throw new PodgraftError(
    'OVERLAY_INVALID',
    `Cannot merge overlay at "${here(sink)}": an item needs "${shape.keys.join('" and "')}"`,
  );
}

function hasKeys(item: JsonObject, shape: ListShape): boolean {
  for (const key of shape.keys) {
    if ((keyOf(item, key, shape) ?? null) === null) return false;
  }
  return true;
}

/** Keys are fields such as `name`, of which the prototype has none: no need to look whose they are. */
function keyOf(item: JsonObject, key: string, shape: ListShape): Json | undefined {
  return item[key] ?? shape.keyDefaults[key];
}
