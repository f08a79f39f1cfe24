import type { JsonObject } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import type { Shape } from '../kube/shape.ts';
import { mergeObject } from './merge-object.ts';
import type { Ownership } from './ownership.ts';
import { type Kept, newSink } from './sink.ts';

export interface Grafted {
  /** Shares with the input everything that the overlay did not touch. */
  readonly object: JsonObject;
  readonly patch: Patch;
  readonly kept: readonly Kept[];
}

/**
 * Merges one overlay into one object by the shape's list keys, and says how as RFC 6902 operations. The object is not touched,
 * but for what of it is our own.
 */
export function graft(object: JsonObject, overlay: JsonObject, shape: Shape, own?: Ownership): Grafted {
  const sink = newSink(own);
  const next = mergeObject(object, overlay, shape, sink);
  return { object: next, patch: sink.operations, kept: sink.kept };
}
