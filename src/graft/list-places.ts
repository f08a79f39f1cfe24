import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type At, atOf, isAbsent } from './directive.ts';
import type { ListDraft } from './list-draft.ts';
import { keyTextOf } from './list-key.ts';
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
 * Moves items whose `$at` has `keep` back to their place. Items that share their keys, as env entries may, move together and in
 * order, since the last of them counts.
 */
export function keepPlaces(draft: ListDraft, wanted: readonly Json[], shape: ListShape): void {
  if (!wanted.some((item) => isJsonObject(item) && placeOf(item).keep)) return;
  const items = wanted.filter((item): item is JsonObject => isJsonObject(item) && !isAbsent(item));
  const firsts = items.filter((item) => 'first' in placeOf(item));
  const lasts = items.filter((item) => 'last' in placeOf(item) && placeOf(item).keep);
  const neighbours = neighboursIn(items, shape);
  const list = { items: draft.items, texts: draft.items.map((item) => keyTextOf(item, shape)), shape };
  let order: Order = [...list.texts.keys()];
  // One move may undo another (A before B, B before C): a pass for each neighbour settles any order that can be kept.
  for (let pass = 0; pass <= neighbours.length; pass++) {
    const before = order;
    order = withFirsts(order, firsts, list);
    for (const neighbour of neighbours) order = besideNeighbour(order, neighbour, list);
    order = withLasts(order, lasts, list);
    if (order.every((index, place) => index === before[place])) break;
  }
  draft.reorder(order);
}

/** Indices of the items of a list. Only the last of all orders is written to the list: its time must not grow with their product. */
type Order = readonly number[];

interface KeyedList {
  readonly items: readonly Json[];
  /** The keys of each item. */
  readonly texts: readonly (string | undefined)[];
  readonly shape: ListShape;
}

/** An item without `keep` counts as one of the first if it is in its place. */
function withFirsts(order: Order, wanted: readonly JsonObject[], list: KeyedList): Order {
  if (wanted.length === 0) return order;
  const found = indicesByText(order, textsOf(wanted, list), list);
  const front = new Set<number>();
  let next = 0;
  for (const item of wanted) {
    const text = keyTextOf(item, list.shape);
    if (placeOf(item).keep) {
      for (const index of found.get(text) ?? []) front.add(index);
      continue;
    }
    while (next < order.length && front.has(order[next] as number)) next++;
    const index = order[next];
    if (index !== undefined && list.texts[index] === text) front.add(index);
  }
  return [...front, ...order.filter((index) => !front.has(index))];
}

function withLasts(order: Order, wanted: readonly JsonObject[], list: KeyedList): Order {
  if (wanted.length === 0) return order;
  const back = new Set([...indicesByText(order, textsOf(wanted, list), list).values()].flat());
  return [...order.filter((index) => !back.has(index)), ...back];
}

/** Items that have to stay on one side of another one. */
interface Neighbour {
  readonly name: string;
  readonly isAfter: boolean;
  /** The keys of the items. */
  readonly texts: (string | undefined)[];
}

function neighboursIn(items: readonly JsonObject[], shape: ListShape): readonly Neighbour[] {
  const neighbours = new Map<string, Neighbour>();
  for (const item of items) {
    const at = placeOf(item);
    if (!at.keep || 'first' in at || 'last' in at) continue;
    const isAfter = 'after' in at;
    const name = isAfter ? at.after : at.before;
    if (name === item[shape.keys[0]]) continue;
    const known = neighbours.get(`${isAfter} ${name}`);
    if (known === undefined)
      neighbours.set(`${isAfter} ${name}`, { name, isAfter, texts: [keyTextOf(item, shape)] });
    else known.texts.push(keyTextOf(item, shape));
  }
  return [...neighbours.values()];
}

function besideNeighbour(order: Order, { name, isAfter, texts }: Neighbour, list: KeyedList): Order {
  const anchor = order.findLastIndex((index) => isNamed(list.items[index] as Json, name, list.shape));
  if (anchor < 0) return order;
  const misplaced = isAfter ? order.slice(0, anchor) : order.slice(anchor + 1);
  const moved = new Set(
    [...indicesByText(misplaced, isAfter ? texts.toReversed() : texts, list).values()].flat(),
  );
  if (moved.size === 0) return order;
  const front = order.slice(0, isAfter ? anchor + 1 : anchor);
  const back = order.slice(front.length);
  const isStaying = (index: number) => !moved.has(index);
  return [...front.filter(isStaying), ...moved, ...back.filter(isStaying)];
}

function textsOf(items: readonly JsonObject[], { shape }: KeyedList): readonly (string | undefined)[] {
  return items.map((item) => keyTextOf(item, shape));
}

/** The places of the items with these keys, in the order of the keys. */
function indicesByText(
  order: Order,
  wanted: readonly (string | undefined)[],
  { texts }: KeyedList,
): ReadonlyMap<string | undefined, readonly number[]> {
  const indices = new Map(wanted.map((text): [string | undefined, number[]] => [text, []]));
  for (const index of order) indices.get(texts[index])?.push(index);
  return indices;
}

function placeOf(item: JsonObject): Exclude<At, string> {
  const at = atOf(item) ?? 'last';
  return at === 'last' ? LAST : at === 'first' ? FIRST : at;
}

const LAST = { last: true } as const;
const FIRST = { first: true } as const;

function indexOfName(list: readonly Json[], name: string, shape: ListShape): number {
  return list.findLastIndex((item) => isNamed(item, name, shape));
}

function isNamed(item: Json, name: string, shape: ListShape): boolean {
  return isJsonObject(item) && item[shape.keys[0]] === name;
}
