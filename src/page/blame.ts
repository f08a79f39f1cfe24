import { keyTextOf } from '../graft/list-key.ts';
import { fieldShape, itemShape, type Shape } from '../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';

/** Who changed something, and why. */
export interface Author {
  readonly owner: string;
  readonly reason: string;
  /** The API server filled it in, converted it or dropped it; the page hides what it filled in. */
  readonly isServer?: true;
  readonly isPlugin?: true;
}

/** The history of a value and its parts. Parts that are not listed share that of the whole. */
export interface Blame {
  /** Its place in the object as it was sent; absent if it was added. */
  readonly origin?: Pointer;
  /** Who added or replaced it; absent if it is as it was sent. */
  readonly author?: Author;
  readonly fields?: ReadonlyMap<string, Blame>;
  readonly items?: readonly Blame[];
}

export interface Removal {
  readonly origin: Pointer;
  readonly author: Author;
}

/** One change of the whole object. */
export interface Turn {
  readonly before: Json;
  readonly after: Json;
  readonly author: Author;
}

export interface History {
  readonly blame: Blame;
  /** Parts of the object as sent that were removed. */
  readonly removals: readonly Removal[];
}

/** Follows every part of an object through all changes. Each turn begins with the object at the end of the one before. */
export function blameTurns(turns: readonly Turn[], shape: Shape): History {
  const removals: Removal[] = [];
  const blame = turns.reduce<Blame>(
    (known, { before, after, author }) => blameTurn(known, before, after, shape, author, removals),
    { origin: '' },
  );
  return { blame, removals };
}

/** The history of a member or an item. */
export function blameOf(whole: Blame, segment: string): Blame {
  const known = whole.fields?.get(segment) ?? whole.items?.[Number(segment)];
  if (known !== undefined) return known;
  if (whole.author !== undefined || whole.origin === undefined)
    return whole.author === undefined ? {} : { author: whole.author };
  return { origin: `${whole.origin}/${escapeSegment(segment)}` };
}

function blameTurn(
  blame: Blame,
  before: Json,
  after: Json,
  shape: Shape,
  author: Author,
  removals: Removal[],
): Blame {
  if (sameJson(before, after)) return blame;
  const lose = ({ origin }: Blame) => {
    if (origin !== undefined) removals.push({ origin, author });
  };
  if (isJsonObject(before) && isJsonObject(after)) {
    const fields = new Map(blame.fields);
    for (const [key, value] of Object.entries(after)) {
      const found = member(before, key);
      const next: Blame =
        found === undefined
          ? { author }
          : blameTurn(blameOf(blame, key), found, value, fieldShape(shape, key), author, removals);
      fields.set(key, next);
    }
    for (const key of Object.keys(before)) {
      if (member(after, key) !== undefined) continue;
      lose(blameOf(blame, key));
      fields.delete(key);
    }
    return { ...blame, fields };
  }
  if (isJsonArray(before) && isJsonArray(after)) {
    const places = pairItems(before, after, shape);
    const paired = new Set(places);
    for (const index of before.keys()) if (!paired.has(index)) lose(blameOf(blame, String(index)));
    const items = after.map((item, index): Blame => {
      const place = places[index];
      if (place === undefined) return { author };
      const known = blameOf(blame, String(place));
      return blameTurn(known, before[place] as Json, item, itemShape(shape), author, removals);
    });
    return { ...blame, items };
  }
  return { ...(blame.origin !== undefined && { origin: blame.origin }), author };
}

/** For each item of the second list, its index in the first: by keys, by value, else by position if equally many remain. */
function pairItems(before: readonly Json[], after: readonly Json[], shape: Shape): (number | undefined)[] {
  const pairingKey = (item: Json) =>
    (shape.type === 'list' ? keyTextOf(item, shape) : undefined) ?? nameOf(item);
  const byKey = new Map<string, number[]>();
  for (const [index, item] of before.entries()) {
    const key = pairingKey(item);
    byKey.set(key, [...(byKey.get(key) ?? []), index]);
  }
  const places = after.map((item) => byKey.get(pairingKey(item))?.shift());
  const rest = [...byKey.values()].flat().toSorted((one, other) => one - other);
  const unpaired = places.filter((place) => place === undefined).length;
  return rest.length === unpaired ? places.map((place) => place ?? rest.shift()) : places;
}

function nameOf(item: Json): string {
  const name = isJsonObject(item) ? member(item, 'name') : undefined;
  return typeof name === 'string' ? `name ${name}` : JSON.stringify(item);
}
