import type { Step } from '../pipeline/trace.ts';
import type { StageInfo } from './own-run.ts';
import type { RequestItem } from './view.ts';

/** A decision of the server, as texts: nothing else is kept alive by it, and processes can exchange it. */
export interface RecordedDecision {
  readonly item: RequestItem;
  readonly endpoint: '/mutate' | '/validate';
  /** The AdmissionReview as it came, and the answer; absent if an injector threw. */
  readonly review: string;
  readonly answer?: string;
  /** JSON of the steps. */
  readonly trace: string;
  /** The injectors of the configuration that was in force. Shared by its decisions. */
  readonly stages: readonly StageInfo[];
  readonly failure?: { readonly message: string; readonly injector?: string };
}

/** The memory that a decision takes, about. */
export function bytesOf({ review, answer = '', trace }: RecordedDecision): number {
  return review.length + answer.length + trace.length + 1024;
}

/** The steps as JSON. The reason of a failed step has the message of its error. */
export function traceText(trace: readonly Step[]): string {
  return JSON.stringify(trace, (key, value: unknown) => (key === 'error' ? undefined : value));
}

/** The names of injectors that changed something, denied or failed. */
export function activeInjectors(trace: readonly Step[]): string[] {
  const active = trace.filter(
    (step) =>
      step.decision === 'denied' ||
      step.decision === 'failed' ||
      (step.decision === 'grafted' && step.patch.length > 0),
  );
  return [...new Set(active.map(({ injector }) => injector))];
}
