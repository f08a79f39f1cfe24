import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import type { Codec } from '../policy/codec.ts';
import type { PolicyInputs } from '../policy/inputs.ts';
import type { Status } from '../policy/status.ts';
import type { CallWebhook } from './call-webhook.ts';
import type { Plugin } from './plugins/plugin.ts';
import type { Recorder } from './recorder.ts';

/** State that all parts of one request share. */
export interface ChainContext extends PolicyInputs {
  readonly call: CallWebhook;
  readonly plugins: readonly Plugin[];
  readonly recorder: Recorder;
  /** Of the request's kind. */
  readonly codec: Codec;
  /** When the request times out, by the clock of `performance.now()`. */
  readonly deadline: number;
  readonly newUid: () => string;
  /** Five characters of a generated name. */
  readonly newSuffix: () => string;
}

/** A part of the mutating phase returns the next object, or why the request is rejected. */
export type Mutated = { readonly object: JsonObject | null } | { readonly status: Status };

export function withObject(request: Attributes, object: JsonObject | null): Attributes {
  return object === request.object ? request : { ...request, object };
}
