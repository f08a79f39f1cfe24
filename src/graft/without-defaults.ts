import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { sameJson } from '../json/same-json.ts';
import { uniqueKeys } from './list-key.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';
import { shapeOf } from './shape-of.ts';

/**
 * The result of changing an object to which `fillIn` had added defaults, as if they had never been added: a default is removed
 * where the original lacks it, the change left it as it was, and it would be filled in again with the same value. `fillIn` adds no
 * items to lists.
 */
export function withoutDefaults(
  original: JsonObject,
  defaulted: JsonObject,
  result: JsonObject,
  shape: Shape,
  fillIn: (object: JsonObject) => JsonObject,
): JsonObject {
  const stripped = withoutUnchangedDefaults(original, defaulted, result, shape);
  return restore(stripped, fillIn(stripped), result) as JsonObject;
}

/** The result without all defaults that the original lacks and the change left as they were. Its lists are those of the result. */
export function withoutUnchangedDefaults(
  original: JsonObject,
  defaulted: JsonObject,
  result: JsonObject,
  shape: Shape,
): JsonObject {
  return strip(original, defaulted, result, shape) as JsonObject;
}

/**
 * Makes the changes between `seen` and `result` to the object that `seen` was decoded from. Fields that decoding dropped stay, and
 * defaults that it filled in are not added.
 */
export function transferChanges(object: JsonObject, seen: JsonObject, result: JsonObject): JsonObject {
  const shape = shapeOf(String(object.apiVersion), String(object.kind));
  return withoutUnchangedDefaults(object, seen, result, shape);
}

/** Undefined if the value is a default. */
function strip(
  original: Json | undefined,
  defaulted: Json | undefined,
  result: Json,
  shape: Shape,
): Json | undefined {
  if (defaulted === undefined) return result;
  if (sameJson(defaulted, result)) return original;
  if (isJsonObject(defaulted) && isJsonObject(result)) {
    return stripObject(isJsonObject(original) ? original : {}, defaulted, result, shape);
  }
  if (isJsonArray(original) && isJsonArray(defaulted) && isJsonArray(result)) {
    return stripList(original, defaulted, result, shape);
  }
  return result;
}

function stripObject(
  original: JsonObject,
  defaulted: JsonObject,
  result: JsonObject,
  shape: Shape,
): JsonObject {
  const next: Record<string, Json> = {};
  for (const key of Object.keys(result)) {
    const value = strip(
      member(original, key),
      member(defaulted, key),
      result[key] as Json,
      fieldShape(shape, key),
    );
    if (value !== undefined) setMember(next, key, value);
  }
  // Members of the original that the defaulting code does not know.
  for (const key of Object.keys(original)) {
    if (member(defaulted, key) !== undefined || member(result, key) !== undefined) continue;
    setMember(next, key, original[key] as Json);
  }
  return next;
}

/** Items are found by their keys, or by their place if they have none. */
function stripList(
  original: readonly Json[],
  defaulted: readonly Json[],
  result: readonly Json[],
  shape: Shape,
): readonly Json[] {
  const keys = shape.type === 'list' ? uniqueKeys(defaulted, shape) : [];
  const places = new Map(keys.map((key, index) => [key ?? index, index]));
  const wanted = shape.type === 'list' ? uniqueKeys(result, shape) : [];
  return result.map((item, index) => {
    const place = shape.type === 'list' ? places.get(wanted[index] ?? index) : index;
    if (place === undefined) return item;
    return strip(original[place], defaulted[place], item, itemShape(shape)) ?? item;
  });
}

/**
 * Puts back the values that would now get another default: the pull policy follows the image, and requests follow limits.
 * All three have the same lists.
 */
function restore(stripped: Json, refilled: Json | undefined, result: Json): Json {
  if (isJsonArray(stripped) && isJsonArray(refilled) && isJsonArray(result)) {
    return stripped.map((item, index) => restore(item, refilled[index], result[index] as Json));
  }
  if (!isJsonObject(stripped) || !isJsonObject(refilled) || !isJsonObject(result)) return stripped;
  const next: Record<string, Json> = {};
  for (const key of Object.keys(result)) {
    const value = member(stripped, key);
    const wanted = result[key] as Json;
    const refill = member(refilled, key);
    if (value !== undefined) setMember(next, key, restore(value, refill, wanted));
    else if (refill === undefined || !sameJson(refill, wanted)) setMember(next, key, wanted);
  }
  return next;
}
