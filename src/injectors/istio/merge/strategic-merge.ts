import {
  copyOf,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  membersBefore,
  PodgraftError,
  sameJson,
  setMember,
} from '../../../sdk/index.ts';
import { asObject, isSameList, startsWithItems } from '../pod-json.ts';

/** How the lists of a struct merge, by `patchMergeKey` and `patchStrategy` of Kubernetes' types. Lists without entry are replaced. */
export interface MergeSchema {
  readonly [field: string]: FieldMerge;
}

export interface FieldMerge {
  /** The merge key of list items. */
  readonly key?: string;
  /** A list of scalars to which the patch adds. */
  readonly set?: true;
  /** The schema of the object, or of the list's items. */
  readonly item?: MergeSchema;
}

/**
 * Applies a strategic merge patch: maps merge, null removes, lists with a key merge by key, everything else is replaced.
 * Unchanged parts are shared with the original, up to the original itself. New parts are the same objects at each merge of
 * the same patch, by which a second merge recognizes them.
 */
export function strategicMerge(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  if (original === patch) return original;
  let next: Record<string, Json> | undefined;
  for (const key in patch) {
    if (key.startsWith('$')) return mergedByDirectives(original, patch, schema);
    const found = member(original, key);
    const value = mergedField(found, patch[key] as Json, key, schema[key]);
    if (value === found) continue;
    next ??= copyOf(original);
    if (value === undefined) delete next[key];
    else setMember(next, key, value);
  }
  return next ?? original;
}

const REMOVE = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

/** The same for a patch with keys that are directives. */
function mergedByDirectives(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  const { $retainKeys } = patch;
  if (Object.hasOwn(patch, '$patch')) {
    const { $patch, ...replacement } = patch;
    if ($patch === 'replace') return withoutDirectives(replacement) as JsonObject;
    if ($patch === 'delete') return {};
    throw new PodgraftError('OVERLAY_INVALID', 'Cannot merge: "$patch" is neither "replace" nor "delete"');
  }
  const next: Record<string, Json> = {};
  const retained = isJsonArray($retainKeys) ? new Set($retainKeys) : undefined;
  for (const key of Object.keys(original)) {
    if (retained === undefined || retained.has(key)) setMember(next, key, original[key] as Json);
  }
  const change = (key: string, value: Json | undefined) => {
    if (value === undefined) delete next[key];
    else setMember(next, key, value);
  };
  for (const key of Object.keys(patch)) {
    if (key.startsWith(REMOVE)) {
      const list = key.slice(REMOVE.length);
      change(list, withoutItems(member(next, list), patch[key]));
    } else if (!key.startsWith('$')) {
      const order = member(patch, ORDER + key);
      change(key, mergedField(member(next, key), patch[key] as Json, key, schema[key], order));
    }
  }
  for (const key of Object.keys(patch)) {
    const list = key.slice(ORDER.length);
    // An order for a list to which the patch adds nothing.
    if (key.startsWith(ORDER) && !Object.hasOwn(patch, list))
      change(list, mergedField(member(next, list), [], list, schema[list], patch[key]));
  }
  return sameJson(next, original) ? original : next;
}

function withoutItems(found: Json | undefined, removed: Json | undefined): Json | undefined {
  if (!isJsonArray(found) || !isJsonArray(removed)) return found;
  const values = new Set(removed);
  const rest = found.filter((value) => !values.has(value));
  return rest.length === found.length ? found : nonEmpty(rest);
}

/** Go omits empty lists. */
function nonEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

function mergedField(
  found: Json | undefined,
  wanted: Json,
  name: string,
  { key, set, item = NO_MERGE }: FieldMerge = NO_MERGE,
  order?: Json,
): Json | undefined {
  if (wanted === null) return undefined;
  if (typeof wanted !== 'object' || wanted === found) return wanted;
  if (isJsonObject(wanted) && isJsonObject(found)) return strategicMerge(found, wanted, item);
  if (isJsonArray(wanted) && key !== undefined) {
    // An earlier merge of this patch has put them there; others may have been added since.
    if (isJsonArray(found) && order === undefined && startsWithItems(found, wanted)) return found;
    const replacement = isJsonArray(found) ? replacingItems(wanted, key) : undefined;
    if (replacement !== undefined) return withoutDirectives(replacement);
    requireKeys(wanted, name, key);
  }
  if (isJsonArray(wanted) && isJsonArray(found)) {
    if (key !== undefined) return mergedList(found, wanted, key, item, order);
    if (set) {
      const union = [...new Set([...found, ...wanted])];
      return ordered(found, union, isJsonArray(order) ? order : wanted, (value) => value);
    }
  }
  const value = withoutDirectives(wanted);
  if (isJsonArray(value) && value.length === 0) return undefined;
  return found !== undefined && value !== undefined && sameJson(found, value) ? found : value;
}

const NO_MERGE = {};

/** The items that replace the list if the patch has an item `$patch: replace`. */
function replacingItems(wanted: readonly Json[], key: string): readonly Json[] | undefined {
  const replaces = (item: Json) =>
    isJsonObject(item) && item.$patch === 'replace' && !Object.hasOwn(item, key);
  if (!wanted.some(replaces)) return undefined;
  return wanted.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, '$patch')));
}

function requireKeys(items: readonly Json[], field: string, key: string): void {
  for (const item of items) {
    if (isJsonObject(item) && (item[key] ?? null) !== null) continue;
    throw new PodgraftError('OVERLAY_INVALID', `Cannot merge "${field}": an item has no "${key}"`);
  }
}

function mergedList(
  found: readonly Json[],
  wanted: readonly Json[],
  key: string,
  schema: MergeSchema,
  order: Json | undefined,
): Json | undefined {
  const mergeKeyOf = (item: Json) => (isJsonObject(item) ? (item[key] ?? null) : null);
  const places = firstPlaces(found, mergeKeyOf);
  const placeOf = placesInTurn(found, wanted, places, mergeKeyOf);
  const merged: (Json | undefined)[] = [...found];
  let areAllNew = true;
  let isInOrder = order === undefined;
  let last = -1;
  for (const item of wanted as readonly JsonObject[]) {
    const place = placeOf(mergeKeyOf(item));
    areAllNew &&= place === undefined;
    isInOrder &&= place !== undefined && place > last;
    last = place ?? last;
    if (item.$patch === 'delete') {
      if (place !== undefined) merged[place] = undefined;
      places.delete(mergeKeyOf(item));
    } else if (place === undefined) {
      places.set(mergeKeyOf(item), merged.length);
      merged.push(withoutDirectives(item));
    } else {
      merged[place] = strategicMerge(asObject(merged[place]), item, schema);
    }
  }
  // If all items are new, they come first.
  if (areAllNew && order === undefined && merged.length > found.length)
    return [...(merged.slice(found.length) as Json[]), ...found];
  const rest = merged.filter((item) => item !== undefined);
  if (isInOrder) return isSameList(rest, found) ? found : nonEmpty(rest);
  return ordered(found, rest, isJsonArray(order) ? order : wanted, mergeKeyOf);
}

/**
 * Where an item is in `found`: the first place of its key. If both lists have the key several times, such as a variable that a
 * template defines twice, the places are used in turn, so that a second merge changes nothing.
 */
function placesInTurn(
  found: readonly Json[],
  wanted: readonly Json[],
  places: ReadonlyMap<Json, number>,
  mergeKeyOf: (item: Json) => Json,
): (key: Json) => number | undefined {
  const isRepeated = places.size < found.length && new Set(wanted.map(mergeKeyOf)).size < wanted.length;
  if (!isRepeated) return (key) => places.get(key);
  const queues = new Map<Json, number[]>();
  for (let index = found.length - 1; index >= 0; index--) {
    const key = mergeKeyOf(found[index] as Json);
    const queue = queues.get(key);
    if (queue === undefined) queues.set(key, [index]);
    else queue.push(index);
  }
  return (key) => {
    const queue = queues.get(key) ?? [];
    // The last place is used for all further items.
    return queue.length > 1 ? queue.pop() : (queue[0] ?? places.get(key));
  };
}

function firstPlaces(list: readonly Json[], mergeKeyOf: (item: Json) => Json): Map<Json, number> {
  const places = new Map<Json, number>();
  // From the end, so that the first of several with one key stays.
  for (let index = list.length - 1; index >= 0; index--) places.set(mergeKeyOf(list[index] as Json), index);
  return places;
}

/**
 * The patch's items in the patch's order. Items that only the original has keep their place before items that followed them in
 * the original; new items have no influence on them.
 */
function ordered(
  found: readonly Json[],
  merged: readonly Json[],
  order: readonly Json[],
  mergeKeyOf: (item: Json) => Json,
): readonly Json[] | undefined {
  const places = new Map(order.map((item, index) => [mergeKeyOf(item), index]));
  const before = firstPlaces(found, mergeKeyOf);
  const rest = merged.filter((item) => !places.has(mergeKeyOf(item)));
  const listed = merged.filter((item) => places.has(mergeKeyOf(item)));
  listed.sort((one, other) => (places.get(mergeKeyOf(one)) ?? 0) - (places.get(mergeKeyOf(other)) ?? 0));
  const result: Json[] = [];
  let next = 0;
  for (const item of listed) {
    const limit = before.get(mergeKeyOf(item));
    for (; next < rest.length; next++) {
      const place = before.get(mergeKeyOf(rest[next] as Json));
      if (limit === undefined || place === undefined || place >= limit) break;
      result.push(rest[next] as Json);
    }
    result.push(item);
  }
  for (const item of rest.slice(next)) result.push(item);
  return isSameList(result, found) ? found : nonEmpty(result);
}

/**
 * A part of the patch where the original has nothing: without nulls, directives, empty lists, and maps with `$patch`. The part
 * itself if it has none of these; undefined if it is a map with `$patch`.
 */
function withoutDirectives(value: Json): Json | undefined {
  if (isJsonArray(value)) return cleanList(value);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  let next: Record<string, Json> | undefined;
  for (const key in value) {
    const child = value[key] as Json;
    const clean = child === null || key.startsWith('$') ? undefined : withoutDirectives(child);
    const kept = isJsonArray(clean) && clean.length === 0 ? undefined : clean;
    if (next === undefined) {
      if (kept === child) continue;
      next = membersBefore(key, value);
    }
    if (kept !== undefined) setMember(next, key, kept);
  }
  return next ?? value;
}

function cleanList(list: readonly Json[]): readonly Json[] {
  let next: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as Json;
    const kept = withoutDirectives(item);
    if (kept !== item) next ??= list.slice(0, index);
    if (kept !== undefined) next?.push(kept);
  }
  return next ?? list;
}
