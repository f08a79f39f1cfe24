import { type Grafted, graft, graftTarget } from '../graft/graft.ts';
import type { Shape } from '../graft/shape.ts';
import { shapeOf } from '../graft/shape-of.ts';
import { isJsonObject } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { type CallView, NO_CALLS } from '../sdk/calls.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { Context, Verdict } from '../sdk/injector.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { failureOf, skipWarning, type Unsettled, unsettled } from './pipeline-errors.ts';
import {
  type Candidate,
  invalidPod,
  objectMismatch,
  type SelectedStages,
  selectStages,
  typedObject,
} from './select-stages.ts';
import type { Outcome, Step } from './trace.ts';

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
  { candidates, denial }: Pick<SelectedStages, 'candidates' | 'denial'>,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView = NO_FILES,
  onStage?: OnStage,
  calls: CallView = NO_CALLS,
): Outcome {
  if (denial !== undefined)
    return { allowed: false, ...denial, trace: [{ ...denial, round: 1, decision: 'denied' }] };
  const shape = shapeOf(apiVersionOf(request.kind), request.kind.kind);
  const trace: Step[] = [];
  // Warnings of each injector's last change and last call, since a later call no longer repeats the first.
  const changeWarnings = candidates.map(() => NO_WARNINGS);
  const lastWarnings = changeWarnings.slice();
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
    const { name, config } = candidate.stage;
    const context = { request, cluster, files, calls, config };
    onStage?.(name, request);
    const { step, object: next, warnings } = runStage(candidate, round, current, typed, context, shape);
    const isChange = next !== current;
    if (isChange || round === 1) trace.push(step);
    if (step.decision === 'denied') return { allowed: false, reason: step.reason, injector: name, trace };
    if (isChange && round > lastRound) {
      const others = withoutUnsettled(candidates, unsettled(trace, lastRound));
      return runStages(others, request, object, cluster, files, onStage, calls);
    }
    unchanged = isChange ? 0 : unchanged + 1;
    current = next;
    lastWarnings[index] = warnings;
    if (isChange) changeWarnings[index] = warnings;
  }
  return {
    allowed: true,
    object: current,
    patch: patchOf(trace),
    warnings: allWarnings(changeWarnings, lastWarnings),
    trace,
  };
}

/** Of the injectors that do not settle, the last one that may be skipped fails. Throws if none may. */
function withoutUnsettled(
  candidates: readonly Candidate[],
  { injectors, error }: Unsettled,
): Pick<SelectedStages, 'candidates'> {
  const last = candidates.findLast(
    ({ stage: { name, onError } }) => onError === 'skip' && injectors.includes(name),
  );
  if (last === undefined) throw error;
  return {
    candidates: candidates.map((candidate) => (candidate === last ? { ...candidate, error } : candidate)),
  };
}

const NO_WARNINGS: readonly string[] = [];

function patchOf(trace: readonly Step[]): Patch {
  const patch: Operation[] = [];
  for (const step of trace) {
    // One by one: a call takes only so many arguments, and an object can need more operations.
    if (step.decision === 'grafted') for (const operation of step.patch) patch.push(operation);
  }
  return patch;
}

/** By injector, each text once. */
function allWarnings(
  changeWarnings: readonly (readonly string[])[],
  lastWarnings: readonly (readonly string[])[],
): readonly string[] {
  if (!changeWarnings.some(isAny) && !lastWarnings.some(isAny)) return NO_WARNINGS;
  const all = changeWarnings.flatMap((warnings, index) => [...warnings, ...(lastWarnings[index] ?? [])]);
  return [...new Set(all)];
}

function isAny({ length }: readonly string[]): boolean {
  return length > 0;
}

interface StageResult {
  readonly step: Step;
  /** The same object (`===`) if nothing has changed. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

function runStage(
  candidate: Candidate,
  round: number,
  object: KubeObject,
  typed: typeof typedObject,
  context: Context,
  shape: Shape,
): StageResult {
  const { stage, mismatch, error } = candidate;
  const { name, injector } = stage;
  try {
    if (error !== undefined) throw error;
    const unmatched = mismatch ?? objectMismatch(candidate, object, context.request);
    if (unmatched instanceof Error) return failed(candidate, round, object, context, unmatched, true);
    if (unmatched !== undefined) {
      const step: Step = { injector: name, round, decision: 'unmatched', reason: unmatched };
      return { step, object, warnings: NO_WARNINGS };
    }
    const verdict = checkVerdict(injector.inject(typed(object), context));
    if ('deny' in verdict) {
      if (verdict.fault !== undefined) return failed(candidate, round, object, context, verdict.fault, true);
      const step: Step = { injector: name, round, decision: 'denied', reason: verdict.deny };
      return { step: withNotes(step, verdict), object, warnings: NO_WARNINGS };
    }
    const warnings = bounded(verdict.warnings ?? NO_WARNINGS);
    if ('skip' in verdict) {
      const step: Step = { injector: name, round, decision: 'skipped', reason: verdict.skip };
      return { step: withNotes(step, verdict), object, warnings };
    }
    const { object: next, patch, kept } = applyVerdict(verdict, object, shape);
    const step: Step = { injector: name, round, decision: 'grafted', patch, kept };
    return { step: withNotes(step, verdict), object: next as unknown as KubeObject, warnings };
  } catch (cause) {
    return failed(candidate, round, object, context, cause, false);
  }
}

function failed(
  { stage, error }: Candidate,
  round: number,
  object: KubeObject,
  { request }: Context,
  cause: unknown,
  isFault: boolean,
): StageResult {
  // Another injector has made a Pod of it that the API server rejects, by an annotation for example.
  const reason = error === undefined ? invalidPod(request, object) : undefined;
  if (reason !== undefined) {
    const step: Step = { injector: stage.name, round, decision: 'unmatched', reason };
    return { step, object, warnings: NO_WARNINGS };
  }
  const step = failureOf(stage, round, cause, isFault);
  return { step, object, warnings: step.decision === 'failed' ? [skipWarning(step)] : NO_WARNINGS };
}

const MOST_WARNINGS = 100;
const LONGEST_WARNING = 4096;
const MOST_CHARACTERS = 1024 * 1024;

/** An injector may repeat a user's text, which has megabytes, in each of thousands of warnings. Using them at all makes copies. */
function bounded(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return warnings;
  const kept: string[] = [];
  let left = MOST_CHARACTERS;
  for (const warning of warnings) {
    if (left < 0 || kept.length === MOST_WARNINGS)
      return [...kept, `and ${warnings.length - kept.length} more`];
    left -= warning.length;
    kept.push(warning.length <= LONGEST_WARNING ? warning : `${warning.slice(0, LONGEST_WARNING)}…`);
  }
  return kept;
}

function withNotes(step: Step, { notes }: Verdict): Step {
  return notes === undefined ? step : { notes, ...step };
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
