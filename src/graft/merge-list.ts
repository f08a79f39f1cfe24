import type { Json, JsonObject } from '../json/json.ts';
import type { ListShape } from '../kube/shape.ts';
import { covers } from './covers.ts';
import { atOf, isAbsent } from './directive.ts';
import { keepPlaces } from './keep-places.ts';
import { insertItem, removeItems } from './list-edit.ts';
import { keyedItem, lastIndexOf, sameKeys } from './list-key.ts';
import { mergeObject } from './merge-object.ts';
import { writableList } from './ownership.ts';
import { newPlaces } from './place.ts';
import { plain } from './plain.ts';
import { emitKept, enter, leave, type Sink } from './sink.ts';

/** Finds each wanted item by its keys and fills it, or adds it where its `$at` says. */
export function mergeList(
  found: readonly Json[],
  wanted: readonly Json[],
  shape: ListShape,
  sink: Sink,
): readonly Json[] {
  let next = found;
  // Most lists say nothing of places.
  const placeFor = wanted.some(hasPlace) ? newPlaces(shape) : undefined;
  for (const want of wanted) {
    if (want === null) continue;
    if (isAbsent(want)) {
      const pattern = keyedItem(want.$absent, shape, sink);
      next = removeItems(next, (item) => sameKeys(item, pattern, shape), sink);
      continue;
    }
    const item = keyedItem(want, shape, sink);
    const index = lastIndexOf(next, item, shape);
    const place = placeFor === undefined ? next.length : placeFor(item, index, next);
    next =
      index < 0
        ? insertItem(next, place, plain(item, shape.item) as Json, sink)
        : mergeItem(next, index, item, shape, sink);
  }
  return placeFor === undefined ? next : keepPlaces(next, wanted, shape, sink);
}

function hasPlace(item: Json): boolean {
  return atOf(item) !== undefined;
}

function mergeItem(
  items: readonly Json[],
  index: number,
  wanted: JsonObject,
  shape: ListShape,
  sink: Sink,
): readonly Json[] {
  const item = items[index] as JsonObject;
  enter(sink, index);
  let next = item;
  if (shape.item.type === 'whole') {
    if (!covers(item, wanted, shape.item)) emitKept(sink, item, wanted);
  } else {
    next = mergeObject(item, wanted, shape.item, sink);
  }
  leave(sink);
  if (next === item) return items;
  const list = writableList(items, sink.own);
  list[index] = next;
  return list;
}
