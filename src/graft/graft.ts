import type { JsonObject } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import { reachObject } from './difference.ts';
import { mergeObject } from './merge.ts';
import { type Kept, PatchWriter } from './patch-writer.ts';
import type { Shape } from './shape.ts';

export interface Grafted {
  /** Shares every unchanged part with the input. */
  readonly object: JsonObject;
  readonly patch: Patch;
  readonly kept: readonly Kept[];
}

/** Merges an overlay into an object by the shape's list keys. The object is not modified. */
export function graft(object: JsonObject, overlay: JsonObject, shape: Shape): Grafted {
  const writer = new PatchWriter();
  const next = mergeObject(object, overlay, shape, writer);
  return { object: next, patch: writer.operations, kept: writer.kept };
}

/**
 * Turns an object into the target by the shape's list keys. Parts that both share (`===`) are skipped, so that cost
 * follows the change. A value that the API server treats as equal (`1` for `1000m`) stays as it is in the object.
 */
export function graftTarget(object: JsonObject, target: JsonObject, shape: Shape): Grafted {
  const writer = new PatchWriter();
  const next = reachObject(object, target, shape, writer);
  return { object: next, patch: writer.operations, kept: [] };
}
