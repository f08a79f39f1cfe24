import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';

/** Whether two values say the same, whatever the order of their members. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index] ?? null))
    );
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length && keys.every((key) => sameMember(one, other, key));
  }
  // YAML has .nan.
  return Number.isNaN(one) && Number.isNaN(other);
}

function sameMember(
  one: { readonly [key: string]: Json },
  other: { readonly [key: string]: Json },
  key: string,
): boolean {
  const mine = member(one, key);
  const yours = member(other, key);
  return mine !== undefined && yours !== undefined && sameJson(mine, yours);
}
