import type { Json, JsonObject } from '../json/json.ts';
import type {
  Changed,
  FailedOpen,
  PolicyTrace,
  Rejected,
  Skipped,
  Unchanged,
} from '../policy/policy-trace.ts';
import type { Status } from '../policy/status.ts';

export type * from '../policy/policy-trace.ts';
export type { Status, StatusCause, StatusDetails } from '../policy/status.ts';

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
  /** Every stop of the request, in order. */
  readonly trace: Trace;
}

export type Trace = readonly Step[];

export type Step = PluginStep | WebhookStep | PolicyStep | ValidationStep;

interface Stop {
  /** A second round of the mutating phase is `1`; the validating phase has one round, `0`. */
  readonly phase: 'mutating' | 'validating';
  readonly round: number;
  readonly milliseconds: number;
}

/** Changes of the API server itself: defaults, ServiceAccount, LimitRanger, … */
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
export interface PolicyStep extends Stop, PolicyTrace {
  readonly type: 'policy';
}
