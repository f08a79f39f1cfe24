import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import type { ListShape } from '../kube/shape.ts';
import { type At, atOf } from './directive.ts';

/** Tells the index at which an item of one overlay list is to be added; `found` is where it stands now, or -1. */
type PlaceFor = (item: JsonObject, found: number, list: readonly Json[]) => number;

/** Items with the same wish are added in the overlay's order, hence the counting. */
export function newPlaces(shape: ListShape): PlaceFor {
  let firsts = 0;
  let afters: Map<string, number> | undefined;

  return (item, found, list) => {
    const wish = wishOf(atOf(item));
    if ('first' in wish) return found < 0 || found === firsts ? firsts++ : found;
    if (found >= 0) return found;
    if ('before' in wish) {
      const anchor = indexOfName(list, wish.before, shape);
      return anchor < 0 ? list.length : anchor;
    }
    if ('after' in wish) {
      const anchor = indexOfName(list, wish.after, shape);
      if (anchor < 0) return list.length;
      afters ??= new Map();
      const placed = afters.get(wish.after) ?? 0;
      afters.set(wish.after, placed + 1);
      return anchor + 1 + placed;
    }
    return list.length;
  };
}

export function wishOf(at: At | undefined): Exclude<At, string> {
  if (at === undefined || at === 'last') return LAST;
  return at === 'first' ? FIRST : at;
}

const LAST = { last: true } as const;
const FIRST = { first: true } as const;

export function indexOfName(list: readonly Json[], name: string, shape: ListShape): number {
  return list.findLastIndex((item) => isJsonObject(item) && member(item, shape.keys[0]) === name);
}
