import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';

export interface ChangedField {
  readonly path: Pointer;
  /** Undefined if the field is absent. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** What changes with every write. */
const NOISE = new Set([
  '/metadata/resourceVersion',
  '/metadata/generation',
  '/metadata/managedFields',
  '/status/observedGeneration',
]);

/** More differences than a fight has: the object was written anew. */
const MOST = 40;

/** The leaves in which two states of an object differ. */
export function changedFields(before: JsonObject, after: JsonObject): ChangedField[] {
  const changes: ChangedField[] = [];
  compareMaps(before, after, '', changes);
  return changes;
}

function compare(before: Json, after: Json, path: Pointer, changes: ChangedField[]): void {
  if (before === after || changes.length >= MOST) return;
  if (isJsonObject(before) && isJsonObject(after)) compareMaps(before, after, path, changes);
  else if (isJsonArray(before) && isJsonArray(after)) compareLists(before, after, path, changes);
  else changes.push({ path, before, after });
}

function compareMaps(before: JsonObject, after: JsonObject, path: Pointer, changes: ChangedField[]): void {
  for (const key in after) {
    const [old, now] = [before[key], after[key] as Json];
    if (old === now) continue;
    // Most members are maps and lists that turn out to be the same, so their path is built late.
    if (old !== undefined && typeof old === 'object' && isSame(old, now)) continue;
    const child = `${path}/${escapeSegment(key)}`;
    if (NOISE.has(child)) continue;
    if (old === undefined) addLeaves(now, child, changes, 'after');
    else compare(old, now, child, changes);
  }
  for (const key in before) {
    if (after[key] === undefined)
      addLeaves(before[key] as Json, `${path}/${escapeSegment(key)}`, changes, 'before');
  }
}

/** Items have no identity here; a list that grows or shrinks is one change. */
function compareLists(
  before: readonly Json[],
  after: readonly Json[],
  path: Pointer,
  changes: ChangedField[],
): void {
  if (before.length !== after.length) {
    changes.push({ path, before, after });
    return;
  }
  for (let index = 0; index < after.length; index++)
    compare(before[index] as Json, after[index] as Json, `${path}/${index}`, changes);
}

/** A map that appears or disappears: its members, so that `labels` without its last label is about that label. */
function addLeaves(value: Json, path: Pointer, changes: ChangedField[], side: 'before' | 'after'): void {
  if (changes.length >= MOST) return;
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const key in value) {
      const child = `${path}/${escapeSegment(key)}`;
      if (!NOISE.has(child)) addLeaves(value[key] as Json, child, changes, side);
    }
    return;
  }
  changes.push({ path, before: undefined, after: undefined, [side]: value });
}

function isSame(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isJsonArray(one)) {
    if (!isJsonArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++)
      if (!isSame(one[index] as Json, other[index] as Json)) return false;
    return true;
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  let count = 0;
  for (const key in one) {
    count++;
    const value = other[key];
    if (value === undefined || !isSame(one[key] as Json, value)) return false;
  }
  for (const _ in other) count--;
  return count === 0;
}
