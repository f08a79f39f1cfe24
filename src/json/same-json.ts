import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** Deep equality, regardless of the order of members. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isJsonArray(one) && isJsonArray(other)) {
    return one.length === other.length && one.every((item, at) => sameJson(item, other[at] as Json));
  }
  // YAML can express `.nan`.
  if (!isJsonObject(one) || !isJsonObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  let surplus = 0;
  for (const key in one) {
    surplus++;
    const value = one[key] as Json;
    // Most members of large maps are equal, and so cost one look-up.
    if (value === other[key]) continue;
    if (!Object.hasOwn(other, key) || !sameJson(value, other[key] as Json)) return false;
  }
  for (const _ in other) surplus--;
  return surplus === 0;
}
