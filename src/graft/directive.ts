import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { isQuantity } from '../kube/quantity.ts';

/*
 * Everything that `$…` means in an overlay. Without a directive a field is filled: set only where it is absent or null.
 *
 *   {$force: value}                  field  replaces a different value
 *   {$absent: true}                  field  removes it
 *   {$absent: item}                  item   removes items with these keys or, in a list without keys, with this value
 *   {$tokens: {separator, parts}}    field  appends missing parts to a string
 *   {$atLeast: amount}               field  raises a smaller number, quantity } resolved by `expandOverlay`
 *   {name: "app-*", …}               item   applies to all items that match   } before the merge
 *   {$cel: expression}               any    the value of a CEL expression     } resolved by `expressionResolver`
 *   {$when: expression, …}           part   applies only if it is true        } before all others
 *   {$at: place, …}                  item   where the item is inserted; with `keep`, where it must stay
 */

/** The keys themselves, for paths that lead through a directive. Elsewhere the functions below read and make directives. */
export const DIRECTIVE = {
  force: '$force',
  absent: '$absent',
  tokens: '$tokens',
  atLeast: '$atLeast',
  at: '$at',
  cel: '$cel',
  when: '$when',
} as const;

export type Force<T = Json> = { readonly $force: T };
export type Absent = { readonly $absent: true };
export type AbsentItem<T = Json> = { readonly $absent: T };
export type Tokens = { readonly $tokens: { readonly separator: string; readonly parts: readonly string[] } };
export type AtLeast<T = number | string> = { readonly $atLeast: T };
export type Cel = { readonly $cel: string };
export type At =
  | 'first'
  | 'last'
  | { readonly first: true; readonly keep?: boolean }
  | { readonly last: true; readonly keep?: boolean }
  | { readonly before: string; readonly keep?: boolean }
  | { readonly after: string; readonly keep?: boolean };
export type Placed<T> = T & { readonly $at?: At };

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

export function atLeast<T>(minimum: T): AtLeast<T> {
  return { $atLeast: minimum };
}

export function cel(expression: string): Cel {
  return { $cel: expression };
}

/** The item of a list, to be inserted at that place. */
export function at<const T extends object>(place: At, item: T): Placed<T> {
  return Object.assign({}, item, { $at: place });
}

/** Whether a value may be a directive, by its first key: a directive has no others. Spares most values three look-ups. */
export function hasDirective(wanted: Json): boolean {
  if (typeof wanted !== 'object' || isJsonArray(wanted)) return false;
  for (const key in wanted) return isDirective(key);
  return false;
}

export function isForce(wanted: Json): wanted is Force {
  return isJsonObject(wanted) && '$force' in wanted;
}

export function forcedValue({ $force }: Force): Json {
  return $force;
}

export function isAbsent(wanted: Json): wanted is AbsentItem {
  return isJsonObject(wanted) && '$absent' in wanted;
}

/** The keys or the value of the items that are removed; true for a field. */
export function absentItem({ $absent }: AbsentItem): Json {
  return $absent;
}

export function isTokens(wanted: Json): wanted is Tokens {
  return isJsonObject(wanted) && '$tokens' in wanted;
}

export function tokensOf({ $tokens }: Tokens): Tokens['$tokens'] {
  return $tokens;
}

export function isAtLeast(wanted: Json): wanted is AtLeast {
  return isJsonObject(wanted) && '$atLeast' in wanted;
}

export function minimumOf({ $atLeast }: AtLeast): number | string {
  return $atLeast;
}

/** Whether keys of an overlay lead to the amount of an `$atLeast`. */
export function isMinimum(keys: readonly string[]): boolean {
  return keys.at(-1) === '$atLeast';
}

export function isCel(wanted: Json): wanted is Cel {
  return isJsonObject(wanted) && typeof wanted.$cel === 'string';
}

export function expressionOf({ $cel }: Cel): string {
  return $cel;
}

/** The condition of a part of an overlay. */
export function whenOf(wanted: Json): string | undefined {
  return isJsonObject(wanted) && typeof wanted.$when === 'string' ? wanted.$when : undefined;
}

/** What applies if the condition is true. */
export function withoutWhen({ $when: _, ...wanted }: JsonObject): JsonObject {
  return wanted;
}

export function withWhen(condition: string | undefined, wanted: JsonObject): JsonObject {
  return condition === undefined ? wanted : { $when: condition, ...wanted };
}

/** Whether a field of a value, at any depth but not below lists, has a directive for the merge. */
export function containsDirective(wanted: Json): boolean {
  if (!isJsonObject(wanted)) return false;
  if (isForce(wanted) || isAbsent(wanted) || isTokens(wanted)) return true;
  for (const key in wanted) if (containsDirective(wanted[key] as Json)) return true;
  return false;
}

/** The `$at` of a list item. */
export function atOf(item: Json): At | undefined {
  return isJsonObject(item) ? (item.$at as At | undefined) : undefined;
}

/** A pattern for the names of list items. */
export function namePatternOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' && isNamePattern(item.name)
    ? item.name
    : undefined;
}

/** No name in Kubernetes contains `*`, so it cannot be meant literally. */
export function isNamePattern(name: string): boolean {
  return name.includes('*');
}

/** Keys of a list item that are about the item itself and not one of its fields. */
export function isDirectiveOfItem(key: string): boolean {
  return key === '$at';
}

const DOLLAR = 36;

export function isDirective(key: string): boolean {
  return key.charCodeAt(0) === DOLLAR;
}

/** What is wrong with one directive of a hand-written overlay; undefined if nothing is. */
export function directiveProblem(
  key: string,
  { [key]: value = null, $when: _, ...others }: JsonObject,
  place: 'object' | 'field' | 'item',
): string | undefined {
  if (key === '$when') return whenProblem(value, place);
  if (isDirectiveOfItem(key)) return place === 'item' ? atProblem(value) : `"${key}" is for items of a list`;
  if (place === 'object') return `"${key}" is for a field, not for the whole object`;
  if (place === 'item' && FIELD_DIRECTIVES.has(key)) {
    return `"${key}" is for a field, not for an item of a list`;
  }
  const problem = valueProblem(key, value, place);
  if (problem !== undefined || Object.keys(others).length === 0) return problem;
  return `"${key}" must be the only key`;
}

function whenProblem(value: Json, place: 'object' | 'field' | 'item'): string | undefined {
  if (place === 'object') return '"$when" is for a part of the overlay: use "match.conditions" for all of it';
  return isExpression(value) ? undefined : 'expected a CEL expression';
}

function isExpression(value: Json): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

const FIELD_DIRECTIVES: ReadonlySet<string> = new Set(['$force', '$tokens', '$atLeast']);

function valueProblem(key: string, value: Json, place: 'field' | 'item'): string | undefined {
  switch (key) {
    case '$force':
      return undefined;
    case '$absent':
      if (place === 'field') return value === true ? undefined : 'expected true';
      return value === true ? 'expected the keys of the item to remove, found true' : undefined;
    case '$cel':
      return isExpression(value) ? undefined : 'expected a CEL expression';
    case '$atLeast':
      return isCel(value) || isAmount(value)
        ? undefined
        : 'expected a number, or a quantity such as 100m or 1Gi';
    case '$tokens':
      return isTokensValue(value) ? undefined : 'expected {separator: string, parts: list of strings}';
    default:
      return `unknown directive "${key}", expected $force, $absent, $tokens, $atLeast, $at, $cel or $when`;
  }
}

function isAmount(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && isQuantity(value));
}

function isTokensValue(value: Json): boolean {
  if (!isJsonObject(value) || typeof value.separator !== 'string') return false;
  return isJsonArray(value.parts) && value.parts.every((part) => typeof part === 'string');
}

function atProblem(value: Json): string | undefined {
  const expected =
    'expected first, last, {before: NAME} or {after: NAME}, with keep: true where it must stay';
  if (value === 'first' || value === 'last') return undefined;
  if (!isJsonObject(value)) return expected;
  const { keep, ...place } = value;
  const [[name, target] = ['', null], ...more] = Object.entries(place);
  const isPlace =
    ((name === 'first' || name === 'last') && target === true) ||
    ((name === 'before' || name === 'after') && typeof target === 'string');
  const isValid = isPlace && more.length === 0 && (keep === undefined || typeof keep === 'boolean');
  return isValid ? undefined : expected;
}
