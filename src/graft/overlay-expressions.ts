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
  readonly isCondition: boolean;
  /** The fields that lead to the list whose item is `item` here; absent outside of items that a name pattern matches. */
  readonly itemOf?: readonly string[];
}

/** All expressions of an overlay, in its order. */
export function overlayExpressions(overlay: JsonObject): OverlayExpression[] {
  const found: OverlayExpression[] = [];
  walk(overlay, [], [], undefined);
  return found;

  function walk(
    value: Json,
    path: readonly string[],
    fields: readonly string[],
    itemOf: readonly string[] | undefined,
  ): void {
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) {
        const scope = namePatternOf(item) === undefined ? itemOf : fields;
        walk(item, [...path, String(index)], fields, scope);
      }
      return;
    }
    if (!isJsonObject(value)) return;
    const place = itemOf === undefined ? {} : { itemOf };
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
      walk(child, [...path, key], isDirective(key) ? fields : [...fields, key], itemOf);
    }
  }
}

/**
 * The overlay without its expressions, for checks of everything else. Conditional parts are kept; the positions of items do not change.
 */
export function withoutExpressions(overlay: JsonObject): JsonObject {
  return stripped(overlay, () => true) as JsonObject;
}

/** What the overlay wants of every object: without conditional parts, and without values that an expression decides. */
export function unconditionalPart(overlay: JsonObject): JsonObject {
  return stripped(overlay, (value) => whenOf(value) === undefined) as JsonObject;
}

function stripped(value: Json, isKept: (value: JsonObject) => boolean): Json {
  if (isJsonArray(value))
    return value.map((item) => (isDropped(item, isKept) ? null : stripped(item, isKept)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, child]) => key !== DIRECTIVE.when && !isDropped(child, isKept),
  );
  return Object.fromEntries(entries.map(([key, child]) => [key, stripped(child, isKept)]));
}

function isDropped(value: Json, isKept: (value: JsonObject) => boolean): boolean {
  if (!isJsonObject(value)) return false;
  if (!isKept(value) || isCel(value)) return true;
  return (isAtLeast(value) && isCel(minimumOf(value))) || (isForce(value) && isCel(forcedValue(value)));
}
