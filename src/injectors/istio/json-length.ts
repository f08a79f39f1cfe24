import { isJsonArray, type Json } from '../../sdk/index.ts';

/** About the number of characters of a value in JSON; stops counting beyond the bound. */
export function jsonLength(value: Json | undefined, bound: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  let length = 0;
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length && length <= bound; index++)
      length += 1 + jsonLength(value[index], bound);
    return length;
  }
  for (const key in value) {
    length += key.length + 4 + jsonLength(value[key], bound);
    if (length > bound) break;
  }
  return length;
}
