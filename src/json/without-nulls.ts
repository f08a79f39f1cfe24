import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import { membersBefore, setMember } from './member.ts';

/** Deeper than any object of the API. Deeper parts stay as they are: recursion must be limited. */
const DEEPEST = 100;

/** The value without null members and null items; the value itself if it has none. Members named `except` are left as they are. */
export function withoutNulls(value: Json, except = '', depth = 0): Json {
  if (depth > DEEPEST) return value;
  if (isJsonArray(value)) return cleanList(value, except, depth + 1);
  return isJsonObject(value) ? cleanObject(value, except, depth + 1) : value;
}

function cleanObject(object: JsonObject, except: string, depth: number): JsonObject {
  let next: Record<string, Json> | undefined;
  for (const key in object) {
    const child = object[key] as Json;
    const isLeaf = typeof child !== 'object' || child === null || key === except;
    const clean = isLeaf ? child : withoutNulls(child, except, depth);
    if (next === undefined) {
      if (clean === child && child !== null) continue;
      next = membersBefore(key, object);
    }
    if (clean !== null) setMember(next, key, clean);
  }
  return next ?? object;
}

function cleanList(list: readonly Json[], except: string, depth: number): readonly Json[] {
  let next: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as Json;
    const clean = typeof item === 'object' && item !== null ? withoutNulls(item, except, depth) : item;
    if (next === undefined) {
      if (clean === item && item !== null) continue;
      next = list.slice(0, index);
    }
    if (clean !== null) next.push(clean);
  }
  return next ?? list;
}
