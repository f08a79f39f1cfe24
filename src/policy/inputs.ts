import type { JsonObject } from '../json/json.ts';
import type { Attributes } from './attributes.ts';
import type { ClusterObjects } from './cluster-objects.ts';

/** What policies are evaluated with. */
export interface PolicyInputs {
  /** Policies and bindings in any order; other objects are ignored. */
  readonly configurations: readonly JsonObject[];
  readonly cluster: ClusterObjects;
  /** Makes the values of `authorizer` and `authorizer.requestResource`; without it, expressions that use them fail. */
  readonly authorizer?: (request: Attributes) => {
    readonly authorizer: unknown;
    readonly requestResource: unknown;
  };
}
