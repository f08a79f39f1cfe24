import type { Json, JsonObject } from '../../json/json.ts';
import { apiVersionOf } from '../../kube/resource.ts';
import type { GroupVersionKind } from '../attributes.ts';
import type { Codec } from '../codec.ts';
import { atomicPaths, joinedErrors, schemaErrors } from './check-schema.ts';
import { typeNameError } from './check-type-names.ts';
import { mergeTyped } from './merge.ts';
import { originalMaps, patchValue } from './patch-value.ts';

export type Applied = { readonly object: JsonObject; readonly patch: Json } | { readonly error: string };

/** Merges the result of an `applyConfiguration` expression into an object. `sources` are what the expression could read. */
export function applyConfiguration(
  result: unknown,
  object: JsonObject,
  kind: GroupVersionKind,
  codec: Codec,
  sources: readonly Json[],
): Applied {
  const wrongName = typeNameError(result);
  if (wrongName !== undefined) return { error: wrongName };
  const { type } = codec;
  const built = patchValue(result, originalMaps(sources)) as JsonObject;
  const patch: JsonObject = { ...built, apiVersion: object.apiVersion as Json, kind: object.kind as Json };
  const errors = schemaErrors(patch, type);
  if (errors.length > 0) {
    return {
      error: `error applying patch: failed to convert patch object to typed object: ${joinedErrors(errors)}`,
    };
  }
  const atomics = atomicPaths(patch, type);
  if (atomics.length > 0) {
    const places = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    return { error: `error applying patch: invalid ApplyConfiguration: ${places}` };
  }
  const merged = mergeTyped(object, patch, type) as JsonObject;
  const decoded = codec.decode(merged);
  if ('error' in decoded)
    return { error: `unable to convert unstructured object to ${named(kind)}: ${converted(decoded.error)}` };
  return { object: codec.complete(decoded.value), patch: built };
}

/** `/v1, Kind=Pod`. */
function named(kind: GroupVersionKind): string {
  return `${kind.group === '' ? '/' : ''}${apiVersionOf(kind)}, Kind=${kind.kind}`;
}

/** The API server's converter from maps has shorter messages than its JSON decoder. */
function converted(error: string): string {
  return /cannot unmarshal number .* of type int/.test(error) ? 'cannot convert float64 to int64' : error;
}
