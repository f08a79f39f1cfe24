import type { JsonObject } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import type { Shape } from '../kube/shape.ts';
import { mergeObject } from './merge-object.ts';
import { type Copies, type Kept, newSink } from './sink.ts';

export interface Grafted {
  /** Shares with the input everything that the overlay did not touch. */
  readonly object: JsonObject;
  readonly patch: Patch;
  readonly kept: readonly Kept[];
}

/**
 * Merges one overlay into one object by the shape's list keys, and says how as RFC 6902 operations. The object is not touched,
 * but for those parts of it that are `copies` of an earlier graft in the same row.
 */
export function graft(object: JsonObject, overlay: JsonObject, shape: Shape, copies?: Copies): Grafted {
  const sink = newSink(copies);
  const next = mergeObject(object, overlay, shape, sink);
  return { object: next, patch: sink.operations, kept: sink.kept };
}
