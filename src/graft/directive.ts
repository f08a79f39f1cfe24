import { isJsonObject, type Json } from '../json/json.ts';

/** Replaces what is there, unless that covers the value already. */
export type Force<T = Json> = { readonly $force: T };
/** Removes a field. */
export type Absent = { readonly $absent: true };
/** Removes the items of a list that have these keys or, in a list without keys, that cover this value. */
export type AbsentItem<T = Json> = { readonly $absent: T };
/** Appends to a string those parts that are not in it yet. */
export type Tokens = { readonly $tokens: { readonly separator: string; readonly parts: readonly string[] } };
/** Where a list item goes when it is added; with `keep`, where it has to stay. */
export type At =
  | 'first'
  | 'last'
  | { readonly first: true; readonly keep?: boolean }
  | { readonly last: true; readonly keep?: boolean }
  | { readonly before: string; readonly keep?: boolean }
  | { readonly after: string; readonly keep?: boolean };

export function force<T>(value: T): Force<T> {
  return { $force: value };
}

export function absent(): Absent;
export function absent<T>(item: T): AbsentItem<T>;
export function absent(item: unknown = true): { readonly $absent: unknown } {
  return { $absent: item };
}

export function tokens(separator: string, ...parts: string[]): Tokens {
  return { $tokens: { separator, parts } };
}

export function isForce(wanted: Json): wanted is Force {
  return isJsonObject(wanted) && '$force' in wanted;
}

export function isAbsent(wanted: Json): wanted is AbsentItem {
  return isJsonObject(wanted) && '$absent' in wanted;
}

export function isTokens(wanted: Json): wanted is Tokens {
  return isJsonObject(wanted) && '$tokens' in wanted;
}

/** The `$at` of a list item. */
export function atOf(item: Json): At | undefined {
  return isJsonObject(item) ? (item.$at as At | undefined) : undefined;
}
