import type { Json, JsonObject } from '../json/json.ts';
import type { Status } from './status.ts';

/** What one policy did with one binding and one parameter. */
export interface PolicyTrace {
  readonly kind: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy';
  readonly policy: string;
  /** Absent if the policy has none. */
  readonly binding?: string;
  /** `namespace/name` of the parameter, or `name`; absent if there is none. */
  readonly param?: string;
  /** One entry for each mutation, or for each validation that failed. */
  readonly decisions: readonly PolicyDecision[];
  readonly result: Changed | Unchanged | Skipped | Rejected | FailedOpen;
}

export interface PolicyDecision {
  readonly expression: string;
  /** The decoded patch of a mutation: the operations of a JSONPatch, or the partial object of an ApplyConfiguration. */
  readonly patch?: Json;
  /** Why a validation failed, or the error of the expression. */
  readonly message?: string;
  /** What a failed validation led to. */
  readonly actions?: readonly string[];
}

/** `before` and `after` share what did not change. */
export interface Changed {
  readonly outcome: 'changed';
  readonly before: JsonObject;
  readonly after: JsonObject;
}

export interface Unchanged {
  readonly outcome: 'unchanged';
}

export interface Skipped {
  readonly outcome: 'skipped';
  readonly because: SkipReason;
  /** The reason in words: the selector, rule or condition that did not match. */
  readonly detail: string;
}

export type SkipReason =
  | 'exempt'
  | 'namespaceSelector'
  | 'objectSelector'
  | 'rules'
  | 'excludeResourceRules'
  | 'matchConditions'
  | 'matchConditions failed'
  | 'no binding'
  | 'no parameter'
  | 'not reinvoked';

export interface Rejected {
  readonly outcome: 'rejected';
  readonly status: Status;
}

/** It failed, and its failurePolicy is `Ignore`. */
export interface FailedOpen {
  readonly outcome: 'failed open';
  readonly error: string;
}
