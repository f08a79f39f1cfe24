import { isJsonArray, isJsonObject, type Json } from './json.ts';

/** The value without undefined members, which values made by JavaScript may have; the value itself if it has none. */
export function withoutUndefined(value: Json): Json {
  if (isJsonArray(value)) {
    const items = value.map(withoutUndefined);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value) as [string, Json | undefined][];
  const next = entries.flatMap(([key, child]): [string, Json][] =>
    child === undefined ? [] : [[key, withoutUndefined(child)]],
  );
  const isSame = next.length === entries.length && next.every(([key, child]) => child === value[key]);
  return isSame ? value : Object.fromEntries(next);
}
