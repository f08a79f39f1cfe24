import { type Grafted, graft } from '../graft/graft.ts';
import { graftTarget } from '../graft/graft-target.ts';
import { type Ownership, ownAll, ownNothing } from '../graft/ownership.ts';
import { isJsonObject } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import { notesOn } from '../json/stable.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf } from '../kube/resource.ts';
import type { Shape } from '../kube/shape.ts';
import { shapeOf } from '../kube/shape-of.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { Verdict } from '../sdk/injector.ts';
import type { Request } from '../sdk/request.ts';
import { exclusion } from './exclusion.ts';
import { injectorFailed } from './injector-failed.ts';
import { mismatch } from './mismatch.ts';
import type { Pipeline, Stage } from './pipeline.ts';
import type { Outcome, Step } from './trace.ts';
import { unsettled } from './unsettled.ts';

/**
 * Runs the injectors in order, again and again until none has anything to add. Synchronous, and pure unless it may write to
 * the object: then that becomes what comes out.
 */
export function runPipeline(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView = NO_FILES,
  mayWrite = false,
): Outcome {
  const excluded = exclusion(pipeline, request, object);
  if (excluded !== undefined) return untouched(pipeline, object, excluded);

  const run: Run = {
    request,
    cluster,
    files,
    own: mayWrite ? ownAll() : ownNothing(),
    warnings: undefined,
    shape: shapeOf(apiVersionOf(request.kind), request.kind.kind),
    object,
  };
  const trace: Step[] = [];
  let patch: Patch = [];
  const settled: boolean[] = [];
  // An injector can wait for each of the others once; whoever still has wishes after that will always have them.
  const lastRound = pipeline.stages.length + 1;
  for (let round = 1; round <= lastRound; round++) {
    let changedAny = false;
    for (let index = 0; index < pipeline.stages.length; index++) {
      const stage = pipeline.stages[index] as Stage;
      if (settled[index]) continue;
      const step = decide(stage, run, round);
      const changed = step.decision === 'grafted' && step.patch.length > 0;
      if (changed || round === 1) trace.push(step);
      if (step.decision === 'denied') {
        return { allowed: false, reason: step.reason, injector: stage.name, trace };
      }
      settled[index] = !changed || stage.idempotent;
      if (!changed) continue;
      changedAny = true;
      patch = patch.length === 0 ? step.patch : [...patch, ...step.patch];
      for (const disturbed of stage.disturbs) settled[disturbed] = false;
    }
    if (!changedAny) {
      return {
        allowed: true,
        object: run.object,
        patch,
        warnings: run.warnings === undefined ? [] : [...new Set([...run.warnings.values()].flat())],
        trace,
      };
    }
  }
  throw unsettled(trace, lastRound);
}

interface Run {
  readonly request: Request;
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly shape: Shape;
  own: Ownership;
  object: KubeObject;
  /** What each injector said last, from the first warning on. */
  warnings: Map<string, readonly string[]> | undefined;
}

function decide(stage: Stage, run: Run, round: number): Step {
  const { request, cluster, files } = run;
  const injector = stage.name;
  const mismatched = mismatch(stage.match, request, run.object, cluster);
  if (mismatched !== undefined) return { injector, round, decision: 'unmatched', reason: mismatched };
  try {
    const context = { request, cluster, files, config: stage.config };
    const verdict = stage.injector.inject(run.object, context) as Verdict;
    // Types do not hold for those who write injectors in JavaScript, and are not checked when TypeScript is loaded.
    if (typeof verdict !== 'object' || verdict === null) throw noVerdict(verdict);
    if ('deny' in verdict) return { injector, round, decision: 'denied', reason: verdict.deny };
    remember(verdict.warnings, injector, run);
    if ('skip' in verdict) return { injector, round, decision: 'skipped', reason: verdict.skip };
    const { object, patch, kept } = grafting(verdict, run);
    run.object = object as unknown as KubeObject;
    return { injector, round, decision: 'grafted', patch, kept };
  } catch (cause) {
    throw injectorFailed(injector, cause);
  }
}

/** What an injector says last is what holds: an earlier round may have warned of what has come since. */
function remember(warnings: readonly string[] | undefined, injector: string, run: Run): void {
  if (run.warnings === undefined && (warnings === undefined || warnings.length === 0)) return;
  run.warnings ??= new Map();
  run.warnings.set(injector, warnings ?? []);
}

function grafting(verdict: Extract<Verdict, { overlay: unknown } | { target: unknown }>, run: Run): Grafted {
  const object = asJson(run.object);
  const wanted = asJson('target' in verdict ? verdict.target : verdict.overlay);
  if (!isJsonObject(wanted)) throw noVerdict(verdict);
  // What is made for the occasion may hold parts of the very object, or be held by the injector.
  if (run.own.all && notesOn(wanted) === undefined) run.own = ownNothing();
  return 'target' in verdict
    ? graftTarget(object, wanted, run.shape)
    : graft(object, wanted, run.shape, run.own);
}

function noVerdict(returned: unknown): Error {
  const expected = 'expected overlay(...), skip(...) or deny(...)';
  if (!(returned instanceof Promise)) return new TypeError(`inject returned no verdict, ${expected}`);
  // Nobody waits for it; were it rejected, that would end the whole process.
  returned.catch(() => {});
  return new TypeError(`inject returned a promise, ${expected}: it must not be async`);
}

function untouched(pipeline: Pipeline, object: KubeObject, reason: string): Outcome {
  const trace = pipeline.stages.map(
    (stage): Step => ({ injector: stage.name, round: 1, decision: 'unmatched', reason }),
  );
  return { allowed: true, object, patch: [], warnings: [], trace };
}
