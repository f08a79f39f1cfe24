import { isJsonObject } from '../../json/json.ts';

/** A map whose keys can be told whatever their case: Go's JSON reader, for which others wrote it, does not care either. */
export function lowerCaseKeys(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key.toLowerCase(), child]));
}
