import type { JsonObject } from '../../json/json.ts';
import { decodeTyped } from './decode.ts';
import { definedStruct } from './schema.ts';

const LONGEST = 300;

/**
 * Why the API server could not decode a part of an object, such as a `Container` of a custom resource; undefined if it could. It
 * answers a patch with such a part by an error, even if failurePolicy is Ignore. Unknown fields and null are accepted.
 */
export function typeProblem(value: JsonObject, definition: string): string | undefined {
  const decoded = decodeTyped(value, definedStruct(definition));
  if (!('error' in decoded)) return undefined;
  const text = decoded.error.replace(/^json: /, '');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
