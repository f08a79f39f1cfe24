import type { Json, JsonObject } from '../json/json.ts';

/** The end of a request's admission. */
export type Outcome = Allowed | Denied;

export interface Allowed extends Recorded {
  readonly allowed: true;
  /** As it would be stored; null on DELETE. */
  readonly object: JsonObject | null;
}

export interface Denied extends Recorded {
  readonly allowed: false;
  /** As the API server returns it. */
  readonly status: Status;
  /** As it was when the request was rejected. */
  readonly object: JsonObject | null;
}

interface Recorded {
  /** Texts of the `Warning` headers, in order, within the API server's limits. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [key: string]: string };
  /** Every stop on the way, in order. */
  readonly trace: Trace;
}

/** A `metav1.Status` of a failure. */
export interface Status {
  readonly code: number;
  /** Absent if a webhook denied without one. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export type Trace = readonly Step[];

export type Step = PluginStep | WebhookStep | PolicyStep | ValidationStep;

interface Stop {
  /** A second round of the mutating phase is `1`; the validating phase has one round, `0`. */
  readonly phase: 'mutating' | 'validating';
  readonly round: number;
  readonly milliseconds: number;
}

/** What the API server itself did: defaults, ServiceAccount, LimitRanger, … */
export interface PluginStep extends Stop {
  readonly type: 'plugin';
  readonly plugin: string;
  readonly result: Changed | Unchanged | Rejected;
}

/** The checks between the two phases: the object's schema and the kind's own validation. */
export interface ValidationStep {
  readonly type: 'validation';
  readonly milliseconds: number;
  readonly result: Unchanged | Rejected;
}

export interface WebhookStep extends Stop {
  readonly type: 'webhook';
  readonly configuration: string;
  readonly webhook: string;
  /** Its number among all webhooks of the phase, as audit annotations count them. */
  readonly index: number;
  /** What was sent; absent if the webhook was skipped. */
  readonly call?: WebhookCall;
  readonly result: Changed | Unchanged | Skipped | Rejected | FailedOpen;
}

export interface WebhookCall {
  /** With `?timeout=`. */
  readonly url: string;
  readonly timeoutSeconds: number;
  /** The whole AdmissionReview. */
  readonly review: JsonObject;
  /** The HTTP answer; absent if there was none. */
  readonly answer?: { readonly status: number; readonly body: string };
  /** The decoded `response.patch`. */
  readonly patch?: readonly Json[];
}

/** One policy with one binding and one parameter. */
export interface PolicyStep extends Stop {
  readonly type: 'policy';
  readonly kind: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy';
  readonly policy: string;
  /** Absent if the policy has none. */
  readonly binding?: string;
  /** `namespace/name` of the parameter; absent if there is none. */
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
