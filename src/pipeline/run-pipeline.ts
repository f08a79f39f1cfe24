import { type Grafted, graft, graftTarget } from '../graft/graft.ts';
import type { Shape } from '../graft/shape.ts';
import { shapeOf } from '../graft/shape-of.ts';
import { isJsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { type CallView, NO_CALLS } from '../sdk/calls.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { Context, Verdict } from '../sdk/injector.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { InjectorFailed, unsettled } from './pipeline-errors.ts';
import {
  type Candidate,
  invalidPod,
  objectMismatch,
  type Selection,
  selectStages,
  typedObject,
} from './select-stages.ts';
import type { Decision, Outcome, Step } from './trace.ts';

/** Runs a pipeline on one object. Pure and synchronous. */
export function runPipeline(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files?: FileView,
): Outcome {
  return runStages(selectStages(pipeline, request, object, cluster), request, object, cluster, files);
}

/** Called before each call of an injector, so that the server knows which one does not return. */
export type OnStage = (injector: string, request: Request) => void;

/** Runs the injectors in order, again and again, until each of them has seen the final object and left it unchanged. */
export function runStages(
  { candidates }: Selection,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView = NO_FILES,
  onStage?: OnStage,
  calls: CallView = NO_CALLS,
): Outcome {
  const shape = shapeOf(apiVersionOf(request.kind), request.kind.kind);
  const trace: Step[] = [];
  const warnings = candidates.map((): StageWarnings => ({ change: [], last: [] }));
  // An injector can wait for each of the others once, and take a second look at its own result.
  const lastRound = candidates.length + 1;
  // Overlays add no nulls.
  const typed = typedObject(object) === object ? (same: KubeObject) => same : typedObject;
  let current = object;
  let unchanged = 0;
  for (let turn = 0; unchanged < candidates.length; turn++) {
    const index = turn % candidates.length;
    const round = 1 + (turn - index) / candidates.length;
    const candidate = candidates[index] as Candidate;
    const { stage } = candidate;
    const context = { request, cluster, files, calls, config: stage.config };
    onStage?.(stage.name, request);
    const result = runStage(candidate, current, typed, context, shape);
    const isChange = result.object !== current;
    if (isChange || round === 1) trace.push({ injector: stage.name, round, ...result.decision });
    if (result.decision.decision === 'denied') {
      return { allowed: false, reason: result.decision.reason, injector: stage.name, trace };
    }
    if (isChange && round > lastRound) throw unsettled(trace, lastRound);
    unchanged = isChange ? 0 : unchanged + 1;
    current = result.object;
    const known = warnings[index] as StageWarnings;
    known.last = result.warnings;
    if (isChange) known.change = result.warnings;
  }
  return {
    allowed: true,
    object: current,
    patch: trace.flatMap((step) => (step.decision === 'grafted' ? step.patch : [])),
    warnings: [...new Set(warnings.flatMap(({ change, last }) => [...change, ...last]))],
    trace,
  };
}

/** Those of the last call, and of the last change: a later call finds it done, and does not warn about it again. */
interface StageWarnings {
  change: readonly string[];
  last: readonly string[];
}

interface StageResult {
  readonly decision: Decision;
  /** The very same object if nothing has changed. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

function runStage(
  { stage: { name, injector, match, onError }, mismatch, error }: Candidate,
  object: KubeObject,
  typed: typeof typedObject,
  context: Context,
  shape: Shape,
): StageResult {
  try {
    if (error !== undefined) throw error;
    const unmatched = mismatch ?? objectMismatch(match, object, context.request);
    if (unmatched !== undefined) {
      return { decision: { decision: 'unmatched', reason: unmatched }, object, warnings: [] };
    }
    const verdict = checkVerdict(injector.inject(typed(object), context));
    if ('deny' in verdict) {
      return { decision: { decision: 'denied', reason: verdict.deny }, object, warnings: [] };
    }
    const { warnings = [] } = verdict;
    if ('skip' in verdict) {
      return { decision: { decision: 'skipped', reason: verdict.skip }, object, warnings };
    }
    const { object: next, patch, kept } = applyVerdict(verdict, object, shape);
    const decision: Decision = { decision: 'grafted', patch, kept };
    return { decision, object: next as unknown as KubeObject, warnings };
  } catch (cause) {
    const failure = new InjectorFailed(name, cause);
    // Another injector has made a Pod of it that the API server rejects, by an annotation for example.
    const reason = error === undefined ? invalidPod(context.request, object) : undefined;
    if (reason !== undefined) return { decision: { decision: 'unmatched', reason }, object, warnings: [] };
    if (onError === 'fail') throw failure;
    const decision: Decision = { decision: 'failed', reason: failure.message, error: failure };
    return { decision, object, warnings: [`${failure.message}; it was skipped`] };
  }
}

function applyVerdict(
  verdict: Extract<Verdict, { overlay: unknown } | { target: unknown }>,
  object: KubeObject,
  shape: Shape,
): Grafted {
  return 'target' in verdict
    ? graftTarget(asJson(object), asJson(verdict.target), shape)
    : graft(asJson(object), asJson(verdict.overlay), shape);
}

/** Modules may be JavaScript, and the types of TypeScript modules are not checked when they are loaded. */
function checkVerdict(returned: unknown): Verdict {
  const expected = 'expected overlay(...), skip(...) or deny(...)';
  if (returned instanceof Promise) {
    // An unhandled rejection would end the process.
    returned.catch(() => {});
    throw new TypeError(`inject returned a promise, ${expected}: it must not be async`);
  }
  if (isJsonObject(returned)) {
    if ('deny' in returned || 'skip' in returned) return returned as unknown as Verdict;
    if (isJsonObject(returned.target ?? returned.overlay)) return returned as unknown as Verdict;
  }
  throw new TypeError(`inject returned no verdict, ${expected}`);
}
