import type { JsonPatchValue } from '../../cel/values/object-value.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Codec } from '../codec.ts';
import { applyGoPatch, type GoOperation } from '../patch/go-patch.ts';
import { internalError, PANIC, type Status } from '../status.ts';
import { typeNameError } from './check-type-names.ts';
import { jsonValue } from './json-value.ts';

export type JsonPatched =
  | { readonly object: JsonObject; readonly patch: Json }
  | { readonly error: string; readonly patch?: Json }
  /** Not subject to failurePolicy. */
  | { readonly status: Status; readonly patch: Json };

/** Applies the operations that a `jsonPatch` expression built. A `test` that fails makes all of them do nothing. */
export function applyJsonPatch(result: unknown, object: JsonObject, codec: Codec): JsonPatched {
  const operations: GoOperation[] = [];
  for (const value of result as readonly JsonPatchValue[]) {
    const operation = toOperation(value);
    if ('panic' in operation) return { status: PANIC, patch: [] };
    if ('error' in operation) return operation;
    operations.push(operation);
  }
  const patch = operations as readonly object[] as Json;
  const patched = applyGoPatch(object, operations);
  if ('error' in patched) {
    return patched.isTest ? { object, patch } : { error: `JSON Patch: ${patched.error}`, patch };
  }
  if (!isJsonObject(patched.value))
    return { status: internalError('the patched document is not an object'), patch };
  // The decoder knows the type, whatever the patch has left of the object.
  const { apiVersion, kind } = object;
  const decoded = codec.decode({
    ...(apiVersion && { apiVersion }),
    ...(kind && { kind }),
    ...patched.value,
  });
  if ('error' in decoded) return { status: internalError(decoded.error), patch };
  if (decoded.unknown.length > 0) {
    const unknown = decoded.unknown.map((field) => `unknown field "${field}"`).join(', ');
    return { status: internalError(`strict decoding error: ${unknown}`), patch };
  }
  return { object: codec.complete(decoded.value), patch };
}

function toOperation({
  op,
  path,
  from,
  value,
}: JsonPatchValue): GoOperation | { readonly error: string } | { readonly panic: true } {
  // Control characters break the JSON that the API server makes of a path.
  const isBroken = [...path].some((character) => character < ' ');
  const base = { op, ...(isBroken ? {} : { path }), ...(from !== '' && { from }) };
  if (value === undefined) return base;
  const wrongName = nestedNameError(value);
  if (wrongName !== undefined) return { error: wrongName };
  const converted = jsonValue(value);
  return 'json' in converted ? { ...base, value: converted.json } : converted;
}

/** Inside a value, names are checked below its own root only. */
function nestedNameError(value: unknown): string | undefined {
  const root = value as { readonly typeName?: unknown };
  return typeof root === 'object' && root !== null && typeof root.typeName === 'string'
    ? typeNameError(value, root.typeName)
    : undefined;
}
