import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import {
  DIRECTIVE,
  expressionOf,
  forcedValue,
  isAtLeast,
  isCel,
  isDirective,
  isForce,
  minimumOf,
  namePatternOf,
  whenOf,
} from './directive.ts';

/** An expression of a hand-written overlay. */
export interface OverlayExpression {
  readonly expression: string;
  /** Where it is in the overlay, with the directive. */
  readonly path: readonly string[];
  /** The fields that lead to its place, through the items of lists. */
  readonly fields: readonly string[];
  readonly isCondition: boolean;
  /** Whether its value is an item of a list, or several. */
  readonly isItem: boolean;
  /** The fields that lead to the list whose item is `item` here; absent outside of items that a name pattern matches. */
  readonly itemOf?: readonly string[];
}

/** All expressions of an overlay, in its order. */
export function overlayExpressions(overlay: JsonObject): OverlayExpression[] {
  const found: OverlayExpression[] = [];
  walk(overlay, [], [], undefined, false);
  return found;

  function walk(
    value: Json,
    path: readonly string[],
    fields: readonly string[],
    itemOf: readonly string[] | undefined,
    isItem: boolean,
  ): void {
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) {
        const scope = namePatternOf(item) === undefined ? itemOf : fields;
        walk(item, [...path, String(index)], fields, scope, true);
      }
      return;
    }
    if (!isJsonObject(value)) return;
    const place = { fields, isItem, ...(itemOf && { itemOf }) };
    const when = whenOf(value);
    if (when !== undefined) {
      found.push({ expression: when, path: [...path, DIRECTIVE.when], isCondition: true, ...place });
    }
    if (isCel(value)) {
      const expression = expressionOf(value);
      found.push({ expression, path: [...path, DIRECTIVE.cel], isCondition: false, ...place });
    }
    for (const [key, child] of Object.entries(value)) {
      // Directives are not fields of the object.
      walk(child, [...path, key], isDirective(key) ? fields : [...fields, key], itemOf, false);
    }
  }
}

/** Stands for a value that an expression decides. It is known by its identity: an object may have an empty map, too. */
export const ANY_VALUE: JsonObject = Object.freeze({});

/** The overlay without its expressions, for checks of everything else: without conditions, and with ANY_VALUE for values. */
export function withoutExpressions(overlay: JsonObject): JsonObject {
  return literal(overlay) as JsonObject;
}

function literal(value: Json): Json {
  if (isCel(value)) return ANY_VALUE;
  if (isJsonArray(value)) return value.map(literal);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== DIRECTIVE.when);
  return Object.fromEntries(entries.map(([key, child]) => [key, literal(child)]));
}

/** What the overlay wants of every object: without conditional parts, and without values that an expression decides. */
export function unconditionalPart(overlay: JsonObject): JsonObject {
  return unconditional(overlay) as JsonObject;
}

/** The positions of items do not change. */
function unconditional(value: Json): Json {
  if (isJsonArray(value)) return value.map((item) => (dependsOnObject(item) ? null : unconditional(item)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => !dependsOnObject(child));
  return Object.fromEntries(entries.map(([key, child]) => [key, unconditional(child)]));
}

function dependsOnObject(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return (
    whenOf(value) !== undefined ||
    isCel(value) ||
    (isAtLeast(value) && isCel(minimumOf(value))) ||
    (isForce(value) && isCel(forcedValue(value)))
  );
}
