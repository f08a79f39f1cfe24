import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { sameJson } from '../json/same-json.ts';
import { PodgraftError } from '../podgraft-error.ts';

/** How the fields of a kind merge: `patchMergeKey` and `patchStrategy` of Kubernetes' types. What is not named is plain. */
export interface MergeSchema {
  readonly [field: string]: FieldMerge;
}

export interface FieldMerge {
  /** A list whose items are found by this key. Lists without one are replaced. */
  readonly key?: string;
  /** A list of plain values to which values are added. */
  readonly set?: true;
  /** Of the object, or of the list's items. */
  readonly item?: MergeSchema;
}

/**
 * A strategic merge patch, on plain JSON: maps merge, null deletes, keyed lists merge by key, all else is replaced.
 * What does not change is shared with the original, up to the original itself.
 */
export function strategicMerge(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  const directive = member(patch, '$patch');
  if (directive === 'replace') return fresh(patch) as JsonObject;
  if (directive === 'delete') return {};
  let next = retained(original, patch);
  const change = (key: string, value: Json | undefined) => {
    const found = member(next, key);
    if (value === found) return;
    if (next === original) next = { ...original };
    if (value === undefined) delete (next as Record<string, Json>)[key];
    else define(next as Record<string, Json>, key, value);
  };
  for (const key of Object.keys(patch)) {
    if (key.startsWith('$')) {
      const list = key.startsWith(DELETE) ? key.slice(DELETE.length) : undefined;
      if (list !== undefined) change(list, without(member(next, list), patch[key]));
      continue;
    }
    change(key, mergedField(member(next, key), patch, key, schema[key] ?? PLAIN));
  }
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(ORDER) || Object.hasOwn(patch, key.slice(ORDER.length))) continue;
    // An order alone, without items to merge.
    const list = key.slice(ORDER.length);
    change(list, mergedField(member(next, list), { ...patch, [list]: [] }, list, schema[list] ?? PLAIN));
  }
  return next;
}

const PLAIN: FieldMerge = {};
const DELETE = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

function mergedField(
  found: Json | undefined,
  patch: JsonObject,
  key: string,
  merge: FieldMerge,
): Json | undefined {
  const wanted = patch[key];
  if (wanted === null || wanted === undefined) return undefined;
  if (isJsonObject(wanted) && isJsonObject(found)) return strategicMerge(found, wanted, merge.item ?? {});
  if (isJsonArray(wanted) && isJsonArray(found)) {
    const order = member(patch, `${ORDER}${key}`);
    if (merge.key !== undefined) return mergedList(found, wanted, key, merge.key, merge.item ?? {}, order);
    if (merge.set) return mergedSet(found, wanted, order);
  }
  if (isJsonArray(wanted) && merge.key !== undefined) checkKeys(wanted, key, merge.key);
  const value = fresh(wanted);
  // An empty list says nothing: Go leaves it out.
  if (isJsonArray(value) && value.length === 0) return undefined;
  return found !== undefined && sameJson(found, value) ? found : value;
}

function mergedList(
  found: readonly Json[],
  wanted: readonly Json[],
  field: string,
  key: string,
  schema: MergeSchema,
  order: Json | undefined,
): Json | undefined {
  if (wanted.some((item) => isJsonObject(item) && item.$patch === 'replace' && !Object.hasOwn(item, key))) {
    const rest = wanted.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, '$patch')));
    return fresh(rest);
  }
  checkKeys(wanted, field, key);
  const merged: Json[] = [...found];
  let isNew = true;
  for (const item of wanted as readonly JsonObject[]) {
    const at = merged.findIndex((other) => isJsonObject(other) && other[key] === item[key]);
    isNew &&= at < 0;
    if (item.$patch === 'delete') {
      if (at >= 0) merged.splice(at, 1);
    } else if (at < 0) {
      merged.push(fresh(item));
    } else {
      merged[at] = strategicMerge(merged[at] as JsonObject, item, schema);
    }
  }
  // The patch's come first where they have nothing to do with the others.
  if (isNew && order === undefined && merged.length > found.length)
    return [...merged.slice(found.length), ...found];
  const keyOf = (item: Json) => (isJsonObject(item) ? (item[key] ?? null) : null);
  return ordered(found, merged, isJsonArray(order) ? order : wanted, keyOf);
}

function mergedSet(
  found: readonly Json[],
  wanted: readonly Json[],
  order: Json | undefined,
): Json | undefined {
  const merged = [...new Set([...found, ...wanted])];
  return ordered(found, merged, isJsonArray(order) ? order : wanted, (item) => item);
}

/**
 * The patch's items in its order; those that only the original has before the first of them that it has later itself.
 * An item that is new to the original says nothing about where others stand.
 */
function ordered(
  found: readonly Json[],
  merged: readonly Json[],
  order: readonly Json[],
  keyOf: (item: Json) => Json,
): readonly Json[] | undefined {
  const places = new Map(order.map((item, index) => [keyOf(item), index]));
  const before = new Map<Json, number>();
  for (const [index, item] of found.entries()) {
    if (!before.has(keyOf(item))) before.set(keyOf(item), index);
  }
  const left = merged.filter((item) => !places.has(keyOf(item)));
  const right = merged
    .filter((item) => places.has(keyOf(item)))
    .sort((one, other) => (places.get(keyOf(one)) ?? 0) - (places.get(keyOf(other)) ?? 0));
  const result: Json[] = [];
  let next = 0;
  for (const item of right) {
    const limit = before.get(keyOf(item));
    for (; next < left.length; next++) {
      const place = before.get(keyOf(left[next] as Json));
      if (limit === undefined || place === undefined || place >= limit) break;
      result.push(left[next] as Json);
    }
    result.push(item);
  }
  result.push(...left.slice(next));
  const same = result.length === found.length && result.every((item, index) => item === found[index]);
  return same ? found : result.length === 0 ? undefined : result;
}

function checkKeys(items: readonly Json[], field: string, key: string): void {
  for (const item of items) {
    if (isJsonObject(item) && (item[key] ?? null) !== null) continue;
    throw new PodgraftError('OVERLAY_INVALID', `Cannot merge "${field}": an item has no "${key}"`);
  }
}

function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const keys = member(patch, '$retainKeys');
  if (!isJsonArray(keys) || Object.keys(original).every((key) => keys.includes(key))) return original;
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.includes(key)));
}

function without(found: Json | undefined, doomed: Json | undefined): Json | undefined {
  if (!isJsonArray(found) || !isJsonArray(doomed)) return found;
  const rest = found.filter((value) => !doomed.includes(value));
  return rest.length === found.length ? found : rest.length === 0 ? undefined : rest;
}

/** Patches that are kept and merged again and again, such as rendered templates, are cleaned once. */
const cleaned = new WeakMap<object, Json>();

/** What a patch says where there was nothing: no nulls, no directives. Itself where it has none. */
function fresh(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const known = cleaned.get(value);
  if (known !== undefined) return known;
  const clean = withoutDirectives(value);
  cleaned.set(value, clean);
  return clean;
}

function withoutDirectives(value: Json): Json {
  if (isJsonArray(value)) {
    const isKept = (item: Json) => !(isJsonObject(item) && item.$patch === 'delete');
    return value.every((item) => isKept(item) && fresh(item) === item)
      ? value
      : value.filter(isKept).map(fresh);
  }
  if (!isJsonObject(value)) return value;
  let next: Record<string, Json> | undefined;
  for (const key of Object.keys(value)) {
    const child = value[key] as Json;
    const clean = child === null || key.startsWith('$') ? undefined : withoutDirectives(child);
    const kept = isJsonArray(clean) && clean.length === 0 ? undefined : clean;
    if (kept === child) continue;
    next ??= { ...value };
    if (kept === undefined) delete next[key];
    else define(next, key, kept);
  }
  return next ?? value;
}

/** Assignment to `__proto__` would set the prototype instead of a member. */
function define(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
