import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** Deep equality, regardless of the order of members. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => sameJson(item, other[at] as Json));
  }
  // YAML can express `.nan`.
  if (!isJsonObject(one) || !isJsonObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key] as Json, other[key] as Json))
  );
}
