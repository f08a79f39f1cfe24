import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { copyOf, member, setMember } from '../json/member.ts';
import { covers, isEmptyObject, isImplied } from './covers.ts';
import { ListDraft, MOST_STEPS } from './list-draft.ts';
import { missingKey, sameKeys, uniqueKeys } from './list-key.ts';
import { longestInOrder } from './longest-in-order.ts';
import type { PatchWriter } from './patch-writer.ts';
import { ANY, fieldShape, type ListShape, type Shape } from './shape.ts';

/** Turns `found` into `target`; the walk is at that object. */
export function reachObject(
  found: JsonObject,
  target: JsonObject,
  shape: Shape,
  writer: PatchWriter,
): JsonObject {
  if (found === target) return found;
  // One copy for all changes: time must not grow with their product.
  let next: Record<string, Json> | undefined;
  // Removals come first, so that a union never has two members set.
  for (const key in found) {
    if ((member(target, key) ?? null) !== null || isRemovalNoop(found[key], key, target, shape)) continue;
    writer.enter(key);
    writer.remove();
    writer.leave();
    next ??= { ...found };
    delete next[key];
  }
  for (const key in target) {
    const wanted = target[key];
    const value = member(found, key);
    if (wanted === undefined || wanted === null || wanted === value) continue;
    writer.enter(key);
    const reached = reachValue(value, wanted, fieldShape(shape, key), writer);
    writer.leave();
    if (reached === undefined || reached === value) continue;
    next ??= copyOf(found);
    setMember(next, key, reached);
  }
  return next ?? found;
}

/**
 * Whether the object means the same without this field: the API server writes `resources: {}` itself, and a volume
 * without a source is an empty directory. Not so if the target has another member of the union instead.
 */
function isRemovalNoop(value: Json | undefined, key: string, target: JsonObject, shape: Shape): boolean {
  if (value === undefined || value === null) return true;
  const own = fieldShape(shape, key);
  // Scalars only: a list that is empty or absent in the target becomes exactly that.
  if (own.type === 'omitted') return isImplied(value, own);
  if (shape.type !== 'struct' || !isEmptyObject(value)) return false;
  return !shape.union?.has(key) || !Object.keys(target).some((name) => shape.union?.has(name));
}

function reachValue(
  found: Json | undefined,
  target: Json,
  shape: Shape,
  writer: PatchWriter,
): Json | undefined {
  if (found === target) return found;
  if (found === undefined || found === null) {
    if (shape.type === 'omitted' && isImplied(target, shape)) return found;
    writer.set(found, target);
    return target;
  }
  if (isJsonObject(found) && isJsonObject(target) && shape.type !== 'whole') {
    return reachObject(found, target, shape, writer);
  }
  if (isJsonArray(found) && isJsonArray(target)) {
    if (shape.type === 'list') return reachList(found, target, shape, writer);
    if (shape.type === 'set') return reachSet(found, target, shape.item, writer);
    // Lists of plain JSON, such as those of custom resources: Go drops no zero values in them.
    if (shape.type === 'any' && found.length === target.length) return reachItems(found, target, ANY, writer);
  }
  // Ignore the API server's defaults: `found` may have more fields than the target, but not fewer.
  if (covers(found, target, shape)) return found;
  writer.set(found, target);
  return target;
}

/** Items are identified by their keys: missing ones are removed, new ones inserted, misplaced ones moved. */
function reachList(
  found: readonly Json[],
  target: readonly Json[],
  shape: ListShape,
  writer: PatchWriter,
): readonly Json[] {
  if (isExtended(found, target, shape)) return reachItems(found, target, shape.item, writer);
  const order = uniqueKeys(target, shape);
  const known = uniqueKeys(found, shape);
  if (!order.every((id) => id !== undefined) || !known.every((id) => id !== undefined)) {
    // Items without keys cannot be identified.
    writer.set(found, target);
    return target;
  }
  const wanted = new Map(order.map((id, index) => [id, index]));
  const ids = known.filter((id) => wanted.has(id));
  const staying = longestInOrder(ids.map((id) => wanted.get(id) as number));
  if ((order.length - staying.size) * order.length > MOST_STEPS) {
    writer.set(found, target);
    return target;
  }
  const draft = new ListDraft(found, writer);
  draft.remove((_, index) => !wanted.has(known[index] as string));
  for (const [index, id] of order.entries()) {
    if (staying.has(index)) continue;
    const place = index === 0 ? 0 : ids.indexOf(order[index - 1] as string) + 1;
    const from = ids.indexOf(id);
    if (from < 0) {
      draft.insert(place, target[index] as Json);
      ids.splice(place, 0, id);
      continue;
    }
    const to = from < place ? place - 1 : place;
    draft.move(from, to);
    ids.splice(from, 1);
    ids.splice(to, 0, id);
  }
  for (const [index, item] of target.entries()) {
    if (draft.items[index] === item) continue;
    const current = draft.items[index] as Json;
    writer.enter(index);
    draft.replace(index, reachValue(current, item, shape.item, writer) ?? current);
    writer.leave();
  }
  return draft.finish();
}

/** Whether the target has the same items in the same places, and perhaps more at the end: it usually does. */
function isExtended(found: readonly Json[], target: readonly Json[], shape: ListShape): boolean {
  if (target.length < found.length) return false;
  for (let index = 0; index < target.length; index++) {
    const wanted = target[index] as Json;
    if (!isJsonObject(wanted) || missingKey(wanted, shape) !== undefined) return false;
    const item = found[index];
    if (item !== undefined && item !== wanted && !sameKeys(item, wanted, shape)) return false;
  }
  return true;
}

/** Appends what the target has at its end, and turns each of the other items into the one at its place. */
function reachItems(
  found: readonly Json[],
  target: readonly Json[],
  shape: Shape,
  writer: PatchWriter,
): readonly Json[] {
  const next = found.slice();
  for (let index = found.length; index < target.length; index++) {
    writer.insertItem(index, index, target[index] as Json);
    next.push(target[index] as Json);
  }
  let isChanged = target.length > found.length;
  for (let index = 0; index < found.length; index++) {
    const value = found[index] as Json;
    const wanted = target[index] as Json;
    if (wanted === value) continue;
    writer.enter(index);
    const reached = reachValue(value, wanted, shape, writer) ?? value;
    writer.leave();
    if (reached === value) continue;
    next[index] = reached;
    isChanged = true;
  }
  return isChanged ? next : found;
}

/** A list without keys is compared item by item: one that only grows is appended to, any other is replaced. */
function reachSet(
  found: readonly Json[],
  target: readonly Json[],
  item: Shape,
  writer: PatchWriter,
): readonly Json[] {
  if (target.length < found.length || !found.every((value, at) => covers(value, target[at] as Json, item))) {
    writer.set(found, target);
    return target;
  }
  const draft = new ListDraft(found, writer);
  for (const value of target.slice(found.length)) draft.insert(draft.items.length, value);
  return draft.finish();
}
