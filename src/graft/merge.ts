import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, membersBefore, setMember } from '../json/member.ts';
import { withoutUndefined } from '../json/without-undefined.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { covers, isImplied } from './covers.ts';
import {
  absentItem,
  atOf,
  containsDirective,
  forcedValue,
  hasDirective,
  isAbsent,
  isDirectiveOfItem,
  isForce,
  isTokens,
} from './directive.ts';
import { extended } from './extend-text.ts';
import { ListDraft } from './list-draft.ts';
import { ItemFinder, keyTextOf, lastWithKeys, missingKey } from './list-key.ts';
import { createPlacer, keepPlaces } from './list-places.ts';
import { currentOf, type ObjectDraft, setField } from './object-draft.ts';
import type { PatchWriter } from './patch-writer.ts';
import { SetFinder } from './set-finder.ts';
import { fieldShape, itemShape, type ListShape, type Shape } from './shape.ts';
import { alternativeTo, keepsRival } from './union.ts';
import { withTokens } from './with-tokens.ts';

/** Merges an overlay into an object, field by field; returns the object itself if nothing changes. */
export function mergeObject(
  object: JsonObject,
  overlay: JsonObject,
  shape: Shape,
  writer: PatchWriter,
): JsonObject {
  const draft: ObjectDraft = { object, copy: undefined };
  // Plain data has no inherited members, and `in` allocates no list of keys.
  for (const key in overlay) {
    const wanted = overlay[key];
    // Identical parts are those that an earlier round has added.
    if (wanted === undefined || wanted === null || wanted === object[key] || isDirectiveOfItem(key)) continue;
    writer.enter(key);
    const isUnion = shape.type === 'struct' && shape.union?.has(key);
    if (!isUnion || !keepsRival(draft, key, wanted, shape, writer)) {
      mergeMember(draft, key, wanted, fieldShape(shape, key), writer);
    }
    writer.leave();
  }
  return currentOf(draft);
}

function mergeMember(draft: ObjectDraft, key: string, wanted: Json, shape: Shape, writer: PatchWriter): void {
  const found = member(currentOf(draft), key);
  const value = mergeField(found, wanted, shape, writer);
  if (value !== found) setField(draft, key, value);
}

/** The value of a field after the merge; undefined if the object does not have it. The walk is at the field. */
function mergeField(
  found: Json | undefined,
  wanted: Json,
  shape: Shape,
  writer: PatchWriter,
): Json | undefined {
  if (hasDirective(wanted)) {
    if (isForce(wanted)) return forced(found, withoutUndefined(forcedValue(wanted)), shape, writer);
    if (isAbsent(wanted)) return removed(found, writer);
    if (isTokens(wanted)) return extended(found, wanted, writer);
  }
  // A file may spell out `hostNetwork: false`, which an object from the API server does not have.
  if (found === undefined || found === null || (shape.type === 'omitted' && found === shape.zero)) {
    return filled(found, wanted, shape, writer);
  }
  if (isJsonObject(found) && isJsonObject(wanted)) {
    if (shape.type !== 'whole') return mergeObject(found, wanted, shape, writer);
    return mergeWhole(found, wanted, shape.inner, writer);
  }
  if (isJsonArray(found) && isJsonArray(wanted)) {
    if (shape.type === 'list') return mergeList(found, wanted, shape, writer);
    if (shape.type === 'set') return mergeSet(found, wanted, shape.item, writer);
  }
  if (!covers(found, wanted, shape)) writer.keep(found, wanted);
  return found;
}

/**
 * A whole value is never filled in part, so that no probe is half of one and half of another. Only directives apply, each
 * to the field it names, and only where the object has the parent of that field.
 */
function mergeWhole(found: JsonObject, wanted: JsonObject, shape: Shape, writer: PatchWriter): JsonObject {
  if (covers(found, wanted, shape)) return found;
  if (!containsDirective(wanted)) {
    writer.keep(found, wanted);
    return found;
  }
  const draft: ObjectDraft = { object: found, copy: undefined };
  for (const key in wanted) {
    const want = wanted[key] as Json;
    const value = member(found, key);
    const inner = fieldShape(shape, key);
    if (want === null || isDirectiveOfItem(key) || covers(value, want, inner)) continue;
    writer.enter(key);
    // What is below stays whole.
    const below: Shape = hasDirective(want) || inner.type === 'whole' ? inner : { type: 'whole', inner };
    if (hasDirective(want) || (isJsonObject(value) && isJsonObject(want))) {
      mergeMember(draft, key, want, below, writer);
    } else {
      const rival = value === undefined ? alternativeTo(key, found) : undefined;
      if (rival === undefined) writer.keep(value ?? null, want);
      else writer.keepRival(rival, found[rival] as Json, key, want);
    }
    writer.leave();
  }
  return currentOf(draft);
}

function forced(found: Json | undefined, value: Json, shape: Shape, writer: PatchWriter): Json | undefined {
  if (found === undefined && isImplied(value, shape)) return found;
  if (found !== undefined && found !== null && covers(found, value, shape)) return found;
  writer.set(found, value);
  return value;
}

function removed(found: Json | undefined, writer: PatchWriter): undefined {
  if (found !== undefined) writer.remove();
}

function filled(found: Json | undefined, wanted: Json, shape: Shape, writer: PatchWriter): Json | undefined {
  const value = plain(wanted, shape, writer);
  if (isImplied(value, shape)) return found;
  writer.set(found, value as Json);
  return value;
}

/** Finds each wanted item by its keys and fills it, or inserts it at the place of its `$at`. */
function mergeList(
  found: readonly Json[],
  wanted: readonly Json[],
  shape: ListShape,
  writer: PatchWriter,
): readonly Json[] {
  const draft = new ListDraft(found, writer);
  const finder = new ItemFinder(draft, wanted.length, shape);
  const placeFor = hasPlaced(wanted) ? createPlacer(shape) : undefined;
  let toRemove: Set<string | undefined> | undefined;
  for (const want of wanted) {
    if (want === null) continue;
    if (isAbsent(want)) {
      toRemove ??= new Set();
      toRemove.add(keyTextOf(keyedItem(absentItem(want), shape, writer), shape));
      continue;
    }
    if (toRemove !== undefined) removeItems(draft, toRemove, shape, finder);
    toRemove = undefined;
    const item = keyedItem(want, shape, writer);
    const index = finder.lastIndexOf(item);
    // Reading the item at -1 would take V8 longer than everything else here.
    const current = index < 0 ? undefined : (draft.items[index] as JsonObject);
    if (placeFor === undefined && item === current) continue;
    const place = placeFor === undefined ? draft.items.length : placeFor(item, index, draft.items);
    if (current !== undefined) {
      writer.enter(index);
      draft.replace(index, mergeItem(current, item, shape.item, writer));
      writer.leave();
      continue;
    }
    const isLast = place === draft.items.length;
    draft.insert(place, plain(item, shape.item, writer) as Json);
    if (!isLast) finder.reset();
  }
  if (toRemove !== undefined) removeItems(draft, toRemove, shape, finder);
  if (placeFor !== undefined) keepPlaces(draft, wanted, shape);
  return draft.finish();
}

function hasPlaced(items: readonly Json[]): boolean {
  for (const item of items) if (atOf(item) !== undefined) return true;
  return false;
}

/** Removals in a row are done at once, in linear time. */
function removeItems(
  draft: ListDraft,
  toRemove: ReadonlySet<string | undefined>,
  shape: ListShape,
  finder: ItemFinder,
): void {
  draft.remove((item) => toRemove.has(keyTextOf(item, shape)));
  finder.reset();
}

function mergeItem(found: JsonObject, wanted: JsonObject, shape: Shape, writer: PatchWriter): JsonObject {
  if (shape.type !== 'whole') return mergeObject(found, wanted, shape, writer);
  return mergeWhole(found, wanted, shape.inner, writer);
}

function keyedItem(item: Json, shape: ListShape, writer: PatchWriter): JsonObject {
  if (missingKey(item, shape) === undefined) return item as JsonObject;
  throw invalid(writer, `an item needs "${shape.keys.join('" and "')}"`);
}

/** Adds each wanted item that no item of the list covers yet. */
function mergeSet(
  found: readonly Json[],
  wanted: readonly Json[],
  item: Shape,
  writer: PatchWriter,
): readonly Json[] {
  const draft = new ListDraft(found, writer);
  const finder = new SetFinder(draft, wanted.length, item);
  let firsts = 0;
  for (const want of wanted) {
    if (want === null) continue;
    if (isAbsent(want)) {
      const toRemove = absentItem(want);
      draft.remove((value) => covers(value, toRemove, item));
      finder.reset();
      continue;
    }
    const value = plain(want, item, writer);
    if (value === undefined || finder.has(value)) continue;
    const at = atOf(want) ?? 'last';
    if (at !== 'first' && at !== 'last') {
      throw invalid(writer, 'a list without keys takes "$at: first" or "$at: last" only');
    }
    draft.insert(at === 'first' ? firsts++ : draft.items.length, value);
    finder.add(value);
  }
  return draft.finish();
}

/**
 * The value to add where the object has none: the overlay without its directives; undefined if nothing is left. Returns the
 * overlay itself if it has no directive, so that the common case allocates nothing.
 */
function plain(wanted: Json, shape: Shape, writer: PatchWriter): Json | undefined {
  if (typeof wanted !== 'object' || wanted === null) return wanted ?? undefined;
  if (isJsonArray(wanted)) return plainArray(wanted, shape, writer);
  if (hasDirective(wanted)) {
    if (isForce(wanted)) return withoutUndefined(forcedValue(wanted));
    if (isAbsent(wanted)) return undefined;
    if (isTokens(wanted)) return withTokens('', wanted) || undefined;
  }
  return plainObject(wanted, shape, writer);
}

function plainObject(wanted: JsonObject, shape: Shape, writer: PatchWriter): JsonObject | undefined {
  let next: Record<string, Json> | undefined;
  for (const key in wanted) {
    const want = wanted[key] as Json;
    const value = isDirectiveOfItem(key) ? undefined : plain(want, fieldShape(shape, key), writer);
    if (next === undefined) {
      // Injectors are JavaScript: `{limits: undefined}` is common, and means what the absence of the key means.
      if (value === want && value !== undefined) continue;
      next = membersBefore(key, wanted);
    }
    if (value !== undefined) setMember(next, key, value);
  }
  if (next === undefined) return wanted;
  // `{labels: {a: absent()}}` adds no labels where there are none.
  return Object.keys(next).length === 0 ? undefined : next;
}

function plainArray(wanted: readonly Json[], shape: Shape, writer: PatchWriter): readonly Json[] | undefined {
  if (shape.type === 'list') {
    if (isPlainList(wanted, shape, writer)) return wanted;
  } else if (shape.type !== 'set') return plainItems(wanted, itemShape(shape), writer);
  // Merged into an empty list, since an overlay may name an item twice or order items by `$at`.
  const merged = writer.unrecorded(() =>
    shape.type === 'list'
      ? mergeList([], wanted, shape, writer)
      : mergeSet([], wanted, itemShape(shape), writer),
  );
  if (merged.length === wanted.length && merged.every((item, index) => item === wanted[index])) return wanted;
  return merged.length === 0 && wanted.length > 0 ? undefined : merged;
}

function plainItems(wanted: readonly Json[], shape: Shape, writer: PatchWriter): readonly Json[] {
  let next: Json[] | undefined;
  for (let index = 0; index < wanted.length; index++) {
    const value = plain(wanted[index] as Json, shape, writer) ?? null;
    if (next === undefined && value === wanted[index]) continue;
    next ??= wanted.slice(0, index);
    next.push(value);
  }
  return next ?? wanted;
}

/** A short list, as nearly all are, in which no item is named twice or has a directive. */
function isPlainList(wanted: readonly Json[], shape: ListShape, writer: PatchWriter): boolean {
  if (wanted.length > 8) return false;
  for (let index = 0; index < wanted.length; index++) {
    const item = wanted[index] as Json;
    if (missingKey(item, shape) !== undefined || atOf(item) !== undefined) return false;
    if (lastWithKeys(wanted, item as JsonObject, shape) !== index) return false;
    if (plain(item, shape.item, writer) !== item) return false;
  }
  return true;
}

function invalid(writer: PatchWriter, detail: string): PodgraftError {
  return new PodgraftError('OVERLAY_INVALID', `Cannot merge overlay at "${writer.path}": ${detail}`);
}
