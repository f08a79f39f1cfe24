import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type At, atOf, isAbsent } from './directive.ts';
import type { ListDraft } from './list-draft.ts';
import { sameKeys } from './list-key.ts';
import type { ListShape } from './shape.ts';

/** Returns the index at which to insert an item of one overlay list; `found` is its current index, or -1. */
type PlaceFor = (item: JsonObject, found: number, list: readonly Json[]) => number;

/** Counts the items that it has placed, so that items with the same `$at` end up in the overlay's order. */
export function createPlacer(shape: ListShape): PlaceFor {
  let firsts = 0;
  const afters = new Map<string, number>();
  return (item, found, list) => {
    const at = placeOf(item);
    if ('first' in at) return found < 0 || found === firsts ? firsts++ : found;
    if (found >= 0) return found;
    if ('last' in at) return list.length;
    const anchor = indexOfName(list, 'before' in at ? at.before : at.after, shape);
    if (anchor < 0) return list.length;
    if ('before' in at) return anchor;
    const placed = afters.get(at.after) ?? 0;
    afters.set(at.after, placed + 1);
    return anchor + 1 + placed;
  };
}

/**
 * Moves items whose `$at` has `keep` back to their place. Items that share their keys, as env entries may, move
 * together and in order, since the last of them counts.
 */
export function keepPlaces(draft: ListDraft, wanted: readonly Json[], shape: ListShape): void {
  if (!wanted.some((item) => isJsonObject(item) && placeOf(item).keep)) return;
  const items = wanted.filter((item): item is JsonObject => isJsonObject(item) && !isAbsent(item));
  // One move may undo another (A before B, B before C): as many passes as items settle any order that can be kept.
  for (const _ of items) {
    const order = [...draft.items];
    for (const pass of [keepFirsts, keepNeighbours, keepLasts]) pass(draft, items, shape);
    if (draft.items.every((item, index) => item === order[index])) break;
  }
}

function keepFirsts(draft: ListDraft, items: readonly JsonObject[], shape: ListShape): void {
  let place = 0;
  for (const item of items) {
    const at = placeOf(item);
    if (!('first' in at)) continue;
    const isItem = (other: Json | undefined) => other !== undefined && sameKeys(other, item, shape);
    if (!at.keep) {
      if (isItem(draft.items[place])) place++;
      continue;
    }
    const find = () => draft.items.findIndex((other, index) => index >= place && isItem(other));
    for (let index = find(); index >= 0; index = find()) draft.move(index, place++);
  }
}

function keepNeighbours(draft: ListDraft, items: readonly JsonObject[], shape: ListShape): void {
  for (const item of items) {
    const at = placeOf(item);
    if (!at.keep || 'first' in at || 'last' in at) continue;
    const neighbour = 'before' in at ? at.before : at.after;
    if (neighbour === item[shape.keys[0]]) continue;
    for (;;) {
      const anchor = indexOfName(draft.items, neighbour, shape);
      const misplaced =
        'before' in at
          ? draft.items.findIndex((other, index) => index > anchor && sameKeys(other, item, shape))
          : draft.items.findLastIndex((other, index) => index < anchor && sameKeys(other, item, shape));
      if (anchor < 0 || misplaced < 0) break;
      // Without the item, the anchor's index is just where it belongs, on either side.
      draft.move(misplaced, anchor);
    }
  }
}

function keepLasts(draft: ListDraft, items: readonly JsonObject[], shape: ListShape): void {
  let place = draft.items.length - 1;
  for (const item of items.toReversed()) {
    const at = placeOf(item);
    if (!('last' in at) || !at.keep) continue;
    const find = () =>
      draft.items.findLastIndex((other, index) => index <= place && sameKeys(other, item, shape));
    for (let index = find(); index >= 0; index = find()) draft.move(index, place--);
  }
}

function placeOf(item: JsonObject): Exclude<At, string> {
  const at = atOf(item) ?? 'last';
  return at === 'last' ? LAST : at === 'first' ? FIRST : at;
}

const LAST = { last: true } as const;
const FIRST = { first: true } as const;

function indexOfName(list: readonly Json[], name: string, shape: ListShape): number {
  return list.findLastIndex((item) => isJsonObject(item) && item[shape.keys[0]] === name);
}
