import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import type { ListShape } from '../kube/shape.ts';
import { reachValue } from './graft-target.ts';
import { insertItem, moveItem, removeItems } from './list-edit.ts';
import { emitSet, enter, leave, type Sink } from './sink.ts';

/** Items are the same where their keys are: what is gone is removed, what is new inserted, what is elsewhere moved. */
export function reachList(
  found: readonly Json[],
  target: readonly Json[],
  shape: ListShape,
  sink: Sink,
): readonly Json[] {
  const order = identities(target, shape);
  const known = identities(found, shape);
  if (order === undefined || known === undefined) {
    // Without keys there is no telling which item is which.
    emitSet(sink, found, target);
    return target;
  }
  const wanted = new Map(order.map((id, index) => [id, index]));
  const doomed = new Set(found.filter((_, index) => !wanted.has(known[index] as string)));
  let next = doomed.size === 0 ? found : removeItems(found, (item) => doomed.has(item), sink);
  const ids = known.filter((id) => wanted.has(id));

  const staying = longestInOrder(ids.map((id) => wanted.get(id) as number));
  for (const [index, id] of order.entries()) {
    if (staying.has(index)) continue;
    const place = index === 0 ? 0 : ids.indexOf(order[index - 1] as string) + 1;
    const from = ids.indexOf(id);
    if (from < 0) {
      next = insertItem(next, place, target[index] as Json, sink);
      ids.splice(place, 0, id);
      continue;
    }
    const to = from < place ? place - 1 : place;
    next = moveItem(next, from, to, sink);
    ids.splice(from, 1);
    ids.splice(to, 0, id);
  }
  return reachItems(next, target, shape, sink);
}

function reachItems(
  found: readonly Json[],
  target: readonly Json[],
  shape: ListShape,
  sink: Sink,
): readonly Json[] {
  let next = found;
  for (const [index, wanted] of target.entries()) {
    const item = next[index] as Json;
    if (item === wanted) continue;
    enter(sink, index);
    const reached = reachValue(item, wanted, shape.item, sink);
    leave(sink);
    if (reached !== undefined && reached !== item) next = next.with(index, reached);
  }
  return next;
}

/** One text an item, unique in the list: a key that comes twice (repeated env names) is counted. */
function identities(items: readonly Json[], shape: ListShape): string[] | undefined {
  const seen = new Map<string, number>();
  const ids: string[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) return undefined;
    const key = keyText(item, shape);
    if (key === undefined) return undefined;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    ids.push(count === 0 ? key : `${key}\n${count}`);
  }
  return ids;
}

function keyText(item: JsonObject, shape: ListShape): string | undefined {
  const values = shape.keys.map((key) => member(item, key) ?? shape.keyDefaults[key] ?? null);
  if (values.includes(null)) return undefined;
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(values);
}

/** The most items that need not move: a longest increasing run of target places. Lists are short, so squared is fine. */
function longestInOrder(places: readonly number[]): ReadonlySet<number> {
  const best: { readonly length: number; readonly before: number }[] = [];
  let last = -1;
  for (const [index, place] of places.entries()) {
    let [length, before] = [1, -1];
    for (let earlier = 0; earlier < index; earlier++) {
      const candidate = (best[earlier]?.length ?? 0) + 1;
      if ((places[earlier] as number) < place && candidate > length) [length, before] = [candidate, earlier];
    }
    best.push({ length, before });
    if (length > (best[last]?.length ?? 0)) last = index;
  }
  const staying = new Set<number>();
  for (let index = last; index >= 0; index = best[index]?.before ?? -1) staying.add(places[index] as number);
  return staying;
}
