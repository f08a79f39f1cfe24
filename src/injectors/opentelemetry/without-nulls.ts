import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';

/** As the API server stores a resource: keys without a value, such as charts write, are left out. A file has them still. */
export function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)]));
}
