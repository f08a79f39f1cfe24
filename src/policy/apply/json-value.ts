import { CelError } from '../../cel/cel-error.ts';
import { toJson } from '../../cel/to-json.ts';
import { ObjectValue } from '../../cel/values/object-value.ts';
import { Optional } from '../../cel/values/optional.ts';
import { limitWork, spendWork } from '../../cel/work.ts';
import type { Json } from '../../json/json.ts';

/** The value of a `JSONPatch{…}` as JSON, or why it is not. The API server panics on a list of objects (kubernetes#142181). */
export type JsonValue = { readonly json: Json } | { readonly error: string } | { readonly panic: true };

export function jsonValue(value: unknown): JsonValue {
  try {
    if (limitWork(hasListOfObjects, value, undefined)) return { panic: true };
    return { json: toJson(value) as Json };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return {
      error: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`,
    };
  }
}

/** Below an object, lists of objects are fine. */
function hasListOfObjects(value: unknown): boolean {
  if (value instanceof Optional) return hasListOfObjects(value.value);
  if (!Array.isArray(value)) return false;
  spendWork(value.length);
  return value.some((item) => item instanceof ObjectValue || hasListOfObjects(item));
}
