import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** Without keys that have no value. Items of lists stay, since what stands behind them would move. */
export function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)]));
}
