import type { Json } from '../../../sdk/index.ts';
import type { ExternalSource } from '../resource/mutator.ts';

/**
 * Takes the place of external data while mutators run, as in Gatekeeper: all of them are requested at once, after everything
 * else has settled. It counts as a JSON object, so that two placeholders for the same data compare as equal.
 */
export class Placeholder {
  readonly source: ExternalSource;
  /** The key that is sent to the provider. */
  readonly key: string;

  constructor(source: ExternalSource, key: string) {
    this.source = source;
    this.key = key;
  }

  /** It is replaced before the object leaves the injector. */
  asJson(): Json {
    return this as unknown as Json;
  }
}

export function isPlaceholder(value: unknown): value is Placeholder {
  return value instanceof Placeholder;
}
