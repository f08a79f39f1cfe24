import type { JsonObject } from '../json/json.ts';
import { shapeOf } from './shape-of.ts';
import { withoutUnchangedDefaults } from './without-defaults.ts';

/**
 * Makes the changes between `seen` and `result` to the object that `seen` was decoded from. Fields that decoding dropped stay, and
 * defaults that it filled in are not added.
 */
export function transferChanges(object: JsonObject, seen: JsonObject, result: JsonObject): JsonObject {
  const shape = shapeOf(String(object.apiVersion), String(object.kind));
  return withoutUnchangedDefaults(object, seen, result, shape);
}
