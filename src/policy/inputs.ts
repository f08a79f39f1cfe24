import type { Authorize } from '../cel/values/authorizer-values.ts';
import type { JsonObject } from '../json/json.ts';
import type { ClusterObjects } from './cluster-objects.ts';

/** What policies are evaluated with. */
export interface PolicyInputs {
  /** Policies and bindings in any order; other objects are ignored. */
  readonly configurations: readonly JsonObject[];
  readonly cluster: ClusterObjects;
  /** Answers `authorizer`; without it, expressions that use it fail. */
  readonly authorize?: Authorize;
}
