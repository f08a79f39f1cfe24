import type { Pipeline } from '../pipeline/pipeline.ts';
import { runPipeline } from '../pipeline/run.ts';
import type { Outcome, Step } from '../pipeline/trace.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import { encodeAllowed, encodeDenial, encodeResponse } from './encode-response.ts';
import type { Review } from './parse-review.ts';

/** An encoded answer, and what led to it for those who log and count. */
export interface Answer {
  readonly body: string;
  readonly allowed: boolean;
  readonly operations: number;
  readonly trace: readonly Step[];
}

export type FinalCheck = 'deny' | 'warn';

/** `POST /mutate`: from a parsed review to the bytes of its answer, without waiting for anything. */
export function answerMutate(
  review: Review,
  pipeline: Pipeline,
  cluster: ClusterView,
  files?: FileView,
): Answer {
  const outcome = decide(review, pipeline, cluster, files);
  const operations = outcome.allowed ? outcome.patch.length : 0;
  return {
    body: encodeResponse(review, outcome),
    allowed: outcome.allowed,
    operations,
    trace: outcome.trace,
  };
}

/**
 * `POST /validate`, the final-state check: the same pipeline on the object as it will be stored. What would still
 * change has been taken away or changed by someone after us.
 */
export function answerValidate(
  review: Review,
  pipeline: Pipeline,
  check: FinalCheck,
  cluster: ClusterView,
  files?: FileView,
): Answer {
  const outcome = decide(review, pipeline, cluster, files);
  const { trace } = outcome;
  const complaint = outcome.allowed ? unfinished(trace) : outcome.reason;
  if (complaint === undefined)
    return { body: encodeAllowed(review, []), allowed: true, operations: 0, trace };
  if (check === 'warn')
    return { body: encodeAllowed(review, [complaint]), allowed: true, operations: 0, trace };
  return { body: encodeDenial(review, complaint, trace), allowed: false, operations: 0, trace };
}

function decide(
  review: Review,
  pipeline: Pipeline,
  cluster: ClusterView,
  files: FileView | undefined,
): Outcome {
  const { request } = review;
  // Nothing to inject into on DELETE.
  if (request.object === undefined) return NOTHING;
  // The review was parsed for us alone; but a Namespace is also asked for its labels, as it was sent.
  const mayWrite = request.kind.kind !== 'Namespace';
  return runPipeline(pipeline, request, request.object, cluster, files, mayWrite);
}

const NOTHING: Outcome = {
  allowed: true,
  object: { apiVersion: '', kind: '', metadata: {} },
  patch: [],
  warnings: [],
  trace: [],
};

function unfinished(trace: readonly Step[]): string | undefined {
  const places = trace.flatMap((step) =>
    step.decision === 'grafted' && step.patch[0]
      ? [`injector "${step.injector}" would still change "${step.patch[0].path}"`]
      : [],
  );
  return places.length === 0 ? undefined : `the object is not as it was injected: ${places.join('; ')}`;
}
