import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** Whether there is an integer in a value that may have been another one when it was read: a double is exact up to 2^53. */
export function isInexact(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isJsonArray(value)) return value.some(isInexact);
  return isJsonObject(value) && Object.values(value).some(isInexact);
}
