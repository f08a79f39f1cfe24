import type { KubeObject } from '../kube/kube-object.ts';
import { type CallView, NO_CALLS } from '../sdk/calls.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { type Failure, failureOf, skipWarning } from './pipeline-errors.ts';
import { type OnStage, runStages } from './run-pipeline.ts';
import { objectMismatch, type SelectedStages, selectStages, typedObject } from './select-stages.ts';
import type { Outcome, Step } from './trace.ts';

/** Runs a pipeline on one object and has the result judged, as the API server does in its two phases. */
export function runAndValidate(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files?: FileView,
): Outcome {
  const selection = selectStages(pipeline, request, object, cluster);
  const outcome = runStages(selection, request, object, cluster, files);
  if (!outcome.allowed) return outcome;
  const { denial, warnings, trace } = validateStages(selection, request, outcome.object, cluster, files);
  if (trace.length === 0) return outcome;
  const steps = [...outcome.trace, ...trace];
  if (denial !== undefined) return { allowed: false, ...denial, trace: steps };
  return { ...outcome, warnings: [...new Set([...outcome.warnings, ...warnings])], trace: steps };
}

export interface Validated {
  /** The first; the others are in the trace. */
  readonly denial?: { readonly reason: string; readonly injector: string };
  readonly warnings: readonly string[];
  readonly audit: { readonly [key: string]: string };
  readonly trace: readonly Step[];
}

/** Validates the final object with every injector, even after a denial. */
export function validateStages(
  { candidates }: SelectedStages,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView = NO_FILES,
  onStage?: OnStage,
  calls: CallView = NO_CALLS,
): Validated {
  let denial: Validated['denial'];
  const warnings: string[] = [];
  const audit: Record<string, string> = {};
  const trace: Step[] = [];
  const addFailure = (step: Failure) => {
    trace.push(step);
    if (step.decision === 'failed') warnings.push(skipWarning(step));
    else denial ??= { reason: step.reason, injector: step.injector };
  };
  for (const candidate of candidates) {
    const { stage, mismatch, error } = candidate;
    const { injector, config, name } = stage;
    if (injector.validate === undefined || mismatch !== undefined) continue;
    onStage?.(name, request);
    try {
      if (error !== undefined) throw error;
      const unmatched = objectMismatch(candidate, object, request);
      if (unmatched instanceof Error) addFailure(failureOf(stage, 1, unmatched, true));
      if (unmatched !== undefined) continue;
      const validation = injector.validate(typedObject(object), { request, cluster, files, calls, config });
      if (validation === undefined) continue;
      const { notes } = validation;
      warnings.push(...(validation.warnings ?? []));
      const step = { injector: name, round: 1, ...(notes && { notes }) };
      if ('skip' in validation) {
        trace.push({ ...step, decision: 'skipped', reason: validation.skip });
        continue;
      }
      const { deny, summary } = validation;
      Object.assign(audit, validation.audit);
      if (deny === undefined) {
        trace.push({ ...step, decision: 'validated', reason: summary });
        continue;
      }
      denial ??= { reason: deny, injector: name };
      trace.push({ ...step, decision: 'denied', reason: deny });
    } catch (cause) {
      addFailure(failureOf(stage, 1, cause, false));
    }
  }
  return { ...(denial && { denial }), warnings, audit, trace };
}
