import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import type { CallWebhook } from './call-webhook.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { Codec } from './codec.ts';
import type { Status } from './outcome.ts';
import type { Recorder } from './recorder.ts';

/** What all parts of one request share. */
export interface ChainContext {
  readonly cluster: ClusterObjects;
  readonly call: CallWebhook;
  readonly recorder: Recorder;
  readonly codec: Codec;
  /** When the request times out, by the clock of `performance.now()`. */
  readonly deadline: number;
  readonly newUid: () => string;
}

/** A part of the mutating phase returns the next object, or why the request is rejected. */
export type Mutated = { readonly object: JsonObject | null } | { readonly status: Status };

export function withObject(request: Attributes, object: JsonObject | null): Attributes {
  return object === request.object ? request : { ...request, object };
}
