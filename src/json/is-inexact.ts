import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** Whether a value contains an integer that JSON.parse may have rounded: doubles are exact up to 2^53. */
export function isInexact(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isJsonArray(value)) return value.some(isInexact);
  return isJsonObject(value) && Object.values(value).some(isInexact);
}
