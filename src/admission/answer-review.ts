import type { KubeObject } from '../kube/kube-object.ts';
import { missingNeeds } from '../pipeline/needs.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type OnStage, runStages } from '../pipeline/run-pipeline.ts';
import { type SelectedStages, selectStages } from '../pipeline/select-stages.ts';
import type { Outcome, Step } from '../pipeline/trace.ts';
import { type Validated, validateStages } from '../pipeline/validate-stages.ts';
import { type Call, type CallView, NO_CALLS, type Replied, type Reply } from '../sdk/calls.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { FailedRead, ObjectRef } from '../sdk/reads.ts';
import type { Request } from '../sdk/request.ts';
import { denyLargePatch } from './deny-large-patch.ts';
import { encodeAllowed, encodeDenied, encodeOutcome } from './encode-response.ts';
import { agreedStages, type Mark, withMark, withoutMark } from './mark.ts';
import { parseReview, type Review } from './parse-review.ts';
import { withProblemWarnings } from './problem-warnings.ts';
import { CallRecord } from './record-calls.ts';
import { withFailedReads } from './with-failed-reads.ts';

export interface ReviewOptions {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files?: FileView | undefined;
  /** Reads objects into the view that it does not have yet; absent if the view is complete. */
  readonly gather?: ((needs: readonly ObjectRef[]) => Promise<readonly FailedRead[]>) | undefined;
  /** Makes the calls that injectors wait for; absent if calls are disabled. */
  readonly call?: ((calls: readonly Call[]) => Promise<readonly Reply[]>) | undefined;
  /** Checks the final state instead of injecting: what to do if injection would still change something. */
  readonly finalCheck?: FinalCheck | undefined;
  /** Written on objects, so that replicas with other configurations can check them. Absent if no final check follows. */
  readonly mark?: Mark | undefined;
  /** The URL path, if it is one of an injector's `paths`. */
  readonly path?: string | undefined;
  readonly onStage?: OnStage | undefined;
}

export type FinalCheck = 'deny' | 'warn';

/** An encoded AdmissionReview and its trace, for log and metrics. */
export interface Answer {
  readonly body: string;
  readonly allowed: boolean;
  readonly operations: number;
  readonly trace: readonly Step[];
  /** Absent if the object of the review is malformed. */
  readonly request?: Request;
}

/**
 * Answers one AdmissionReview, from bytes to bytes. Synchronous, unless an injector needs an object that the cluster view does
 * not have yet, or a reply of another service or of the cluster's authorizer. Throws if the body is not an AdmissionReview, if an
 * injector throws, or if the injectors do not settle.
 */
export function answerReview(body: Buffer, options: ReviewOptions): Answer | Promise<Answer> {
  return answerWith(body, options, [], 0);
}

function answerWith(
  body: Buffer,
  options: ReviewOptions,
  replies: readonly Replied[],
  round: number,
): Answer | Promise<Answer> {
  const parsed = parseReview(body);
  if ('problem' in parsed) {
    return { body: encodeDenied(parsed, parsed.problem, []), allowed: false, operations: 0, trace: [] };
  }
  const { pipeline, cluster, gather, call, path, onStage } = options;
  const review = path === undefined ? parsed : { ...parsed, request: { ...parsed.request, path } };
  const { request, object } = review;
  // Nothing to inject into on DELETE.
  if (object === undefined) return answered(review, UNCHANGED);

  const selection = selectStages(pipeline, request, object, cluster);
  const missing = gather === undefined ? [] : missingNeeds(selection, request, object, cluster, onStage);
  if (gather !== undefined && missing.length > 0) return answerGathered(body, options, gather, missing);
  if (call === undefined) return decide(review, object, selection, options, NO_CALLS);
  const calls = new CallRecord(replies, round);
  let answer: Answer | undefined;
  try {
    answer = decide(review, object, selection, options, calls);
  } catch (error) {
    // The error is not final until all replies are in.
    if (calls.missing.length === 0) throw error;
  }
  if (answer !== undefined && calls.missing.length === 0) return answer;
  return answerReplied(body, options, call, calls.missing, replies, round);
}

/*
 * A review that waits keeps only its bytes, which count against a budget, and is parsed again: a parsed object takes up to
 * twenty times as much memory.
 */

async function answerGathered(
  body: Buffer,
  options: ReviewOptions,
  gather: NonNullable<ReviewOptions['gather']>,
  missing: readonly ObjectRef[],
): Promise<Answer> {
  const failed = await gather(missing);
  const cluster = failed.length === 0 ? options.cluster : withFailedReads(options.cluster, failed);
  // The namespace's labels may have been among the missing.
  return answerWith(body, { ...options, cluster, gather: undefined }, [], 0);
}

/** Runs the injectors again when replies arrive, since their calls depend on the object. `round` counts those with calls to services. */
async function answerReplied(
  body: Buffer,
  options: ReviewOptions,
  call: NonNullable<ReviewOptions['call']>,
  missing: readonly Call[],
  replies: readonly Replied[],
  round: number,
): Promise<Answer> {
  const more = await call(missing);
  const replied = missing.map((call, index) => ({ call, reply: more[index] as Reply }));
  const nextRound = missing.some((call) => 'url' in call) ? round + 1 : round;
  return answerWith(body, { ...options, gather: undefined }, [...replies, ...replied], nextRound);
}

function decide(
  review: Review,
  object: KubeObject,
  selection: SelectedStages,
  options: ReviewOptions,
  calls: CallView,
): Answer {
  const { cluster, files, mark, finalCheck, onStage } = options;
  const { request } = review;
  const stages = mark && finalCheck ? agreedStages(selection, object, mark) : selection;
  const unmarked = mark ? withoutMark(object) : object;
  const outcome = runStages(stages, request, unmarked, cluster, files, onStage, calls);
  if (finalCheck !== undefined) {
    return checked(review, outcome, finalCheck, () =>
      validateStages(stages, request, unmarked, cluster, files, onStage, calls),
    );
  }
  // In an excluded namespace too: other replicas may not exclude it, and would reject an object without a mark.
  const marks = mark && !selection.isFixed;
  const warned = withProblemWarnings(unmarked, outcome);
  return answered(review, marks ? withMark(warned, object, mark) : warned);
}

const UNCHANGED: Outcome = {
  allowed: true,
  object: { apiVersion: '', kind: '', metadata: {} },
  patch: [],
  warnings: [],
  trace: [],
};

function answered(review: Review, outcome: Outcome): Answer {
  const { trace, allowed } = outcome;
  const operations = outcome.allowed ? outcome.patch.length : 0;
  const body = encodeOutcome(review, outcome);
  if (body === undefined) return answered(review, denyLargePatch(outcome));
  return { body, allowed, operations, trace, request: review.request };
}

/** Denies an object that injection would still change, or warns if the configuration says so. Denies one that an injector rejects. */
function checked(
  review: Review,
  outcome: Outcome,
  finalCheck: FinalCheck,
  validate: () => Validated,
): Answer {
  const { request } = review;
  const complaint = outcome.allowed ? unfinished(outcome.trace) : outcome.reason;
  if (complaint !== undefined && finalCheck === 'deny') {
    const { trace } = outcome;
    return { body: encodeDenied(review, complaint, trace), allowed: false, operations: 0, trace, request };
  }
  const { denial, warnings, audit, trace: judged } = validate();
  const trace = [...outcome.trace, ...judged];
  const shown = complaint === undefined ? warnings : [complaint, ...warnings];
  const body =
    denial === undefined
      ? encodeAllowed(review, shown, audit)
      : encodeDenied(review, denial.reason, trace, audit, shown);
  return { body, allowed: denial === undefined, operations: 0, trace, request };
}

/** What injection would still change, since the object was not injected, or was changed afterwards; undefined if nothing. */
function unfinished(trace: readonly Step[]): string | undefined {
  const places = trace.flatMap((step) =>
    step.decision === 'grafted' && step.patch[0]
      ? [`injector "${step.injector}" would still change "${step.patch[0].path}"`]
      : [],
  );
  return places.length === 0 ? undefined : `injection is incomplete: ${places.join('; ')}`;
}
