import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Sets fields that are absent or empty strings, which Go does not distinguish. */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  let next: Record<string, Json> | undefined;
  for (const key of Object.keys(defaults)) {
    const value = object[key] ?? null;
    if ((value !== null && value !== '') || value === defaults[key]) continue;
    next ??= { ...object };
    next[key] = defaults[key] as Json;
  }
  return next ?? object;
}

/** Sets fields that are absent. For pointers, Go distinguishes empty values from absent ones. */
export function fillAbsent(object: JsonObject, defaults: JsonObject): JsonObject {
  const absent = Object.entries(defaults).filter(([key]) => (object[key] ?? null) === null);
  return absent.length === 0 ? object : { ...object, ...Object.fromEntries(absent) };
}

/** Sets numbers that are absent or 0, which Go does not distinguish unless the field is a pointer. */
export function fillCounts(object: JsonObject, defaults: JsonObject): JsonObject {
  const unset = Object.entries(defaults).filter(([key]) => (object[key] ?? 0) === 0);
  return unset.length === 0 ? object : { ...object, ...Object.fromEntries(unset) };
}

/** Changes one member, if it is a map. Unchanged objects are shared. */
export function fillMember(
  object: JsonObject,
  key: string,
  change: (member: JsonObject) => JsonObject,
): JsonObject {
  const found = object[key];
  if (!isJsonObject(found)) return object;
  const next = change(found);
  return next === found ? object : { ...object, [key]: next };
}

/** Changes those items of a list that are maps. */
export function fillItems(
  object: JsonObject,
  key: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const found = object[key];
  if (!isJsonArray(found)) return object;
  const next = found.map((item) => (isJsonObject(item) ? change(item) : item));
  return next.every((item, index) => item === found[index]) ? object : { ...object, [key]: next };
}
