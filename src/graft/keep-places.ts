import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import type { ListShape } from '../kube/shape.ts';
import { atOf, isAbsent } from './directive.ts';
import { moveItem } from './list-edit.ts';
import { sameKeys } from './list-key.ts';
import { indexOfName, wishOf } from './place.ts';
import type { Sink } from './sink.ts';

/**
 * Moves those items back to their place whose `$at` says `keep`. Items that share their keys, as env entries may, move
 * together and in their order: the last of them counts.
 */
export function keepPlaces(
  list: readonly Json[],
  wanted: readonly Json[],
  shape: ListShape,
  sink: Sink,
): readonly Json[] {
  if (!wanted.some(isKept)) return list;
  let next = list;
  // One move may undo another (A before B, B before C): as many passes as there are items settle any order there is.
  for (const _ of wanted) {
    const before = sink.operations.length;
    for (const pass of [keepFirsts, keepNeighbours, keepLasts]) next = pass(next, wanted, shape, sink);
    if (sink.operations.length === before) break;
  }
  return next;
}

function isKept(item: Json): boolean {
  const at = atOf(item);
  return typeof at === 'object' && at.keep === true;
}

type Pass = (list: readonly Json[], wanted: readonly Json[], shape: ListShape, sink: Sink) => readonly Json[];

const keepFirsts: Pass = (list, wanted, shape, sink) => {
  let next = list;
  let place = 0;
  for (const item of items(wanted)) {
    const wish = wishOf(atOf(item));
    if (!('first' in wish)) continue;
    const isItem = (other: Json | undefined) => other !== undefined && sameKeys(other, item, shape);
    const find = () => next.findIndex((other, index) => index >= place && isItem(other));
    if (wish.keep !== true) place += isItem(next[place]) ? 1 : 0;
    else for (let index = find(); index >= 0; index = find()) next = moveItem(next, index, place++, sink);
  }
  return next;
};

const keepNeighbours: Pass = (list, wanted, shape, sink) => {
  let next = list;
  for (const item of items(wanted)) {
    const wish = wishOf(atOf(item));
    if (wish.keep !== true || 'first' in wish || 'last' in wish) continue;
    const neighbour = 'before' in wish ? wish.before : wish.after;
    if (neighbour === member(item, shape.keys[0])) continue;
    for (;;) {
      const anchor = indexOfName(next, neighbour, shape);
      const misplaced =
        'before' in wish
          ? next.findIndex((other, index) => index > anchor && sameKeys(other, item, shape))
          : next.findLastIndex((other, index) => index < anchor && sameKeys(other, item, shape));
      if (anchor < 0 || misplaced < 0) break;
      // It stood on the other side, so that without it the anchor's index is just where it belongs, either way.
      next = moveItem(next, misplaced, anchor, sink);
    }
  }
  return next;
};

const keepLasts: Pass = (list, wanted, shape, sink) => {
  let next = list;
  let place = list.length - 1;
  for (const item of items(wanted).reverse()) {
    const wish = wishOf(atOf(item));
    if (!('last' in wish) || wish.keep !== true) continue;
    const find = () => next.findLastIndex((other, index) => index <= place && sameKeys(other, item, shape));
    for (let index = find(); index >= 0; index = find()) next = moveItem(next, index, place--, sink);
  }
  return next;
};

function items(wanted: readonly Json[]): JsonObject[] {
  return wanted.filter((item): item is JsonObject => isJsonObject(item) && !isAbsent(item));
}
