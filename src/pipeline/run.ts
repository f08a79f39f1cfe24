import { type Grafted, graft } from '../graft/graft.ts';
import { graftTarget } from '../graft/graft-target.ts';
import type { Copies } from '../graft/sink.ts';
import type { JsonObject } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf } from '../kube/resource.ts';
import type { Shape } from '../kube/shape.ts';
import { shapeOf } from '../kube/shape-of.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { Verdict } from '../sdk/injector.ts';
import type { Request } from '../sdk/request.ts';
import { exclusion } from './exclusion.ts';
import { mismatch } from './mismatch.ts';
import { namespaceLabelsOf } from './namespace-labels.ts';
import type { Pipeline, Stage } from './pipeline.ts';
import type { Decision, Outcome, Step } from './trace.ts';
import { unsettled } from './unsettled.ts';

/** Runs the injectors in order, again and again until none has anything to add. Pure and synchronous. */
export function runPipeline(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView = NO_FILES,
): Outcome {
  const excluded = exclusion(pipeline, request, object);
  if (excluded !== undefined) return untouched(pipeline, object, excluded);

  const run: Run = {
    request,
    cluster,
    files,
    copies: new Set(),
    shape: shapeOf(apiVersionOf(request.kind), request.kind.kind),
    object,
  };
  const trace: Step[] = [];
  const patch: Operation[] = [];
  const warnings = new Map<string, readonly string[]>();
  const settledAt: number[] = [];
  let changes = 0;
  // An injector can wait for each of the others once; whoever still has wishes after that will always have them.
  const lastRound = pipeline.stages.length + 1;
  for (let round = 1; round <= lastRound; round++) {
    const before = changes;
    for (let index = 0; index < pipeline.stages.length; index++) {
      const stage = pipeline.stages[index] as Stage;
      if (settledAt[index] === changes && round > 1) continue;
      const decision = decide(stage, run, warnings);
      const changed = decision.decision === 'grafted' && decision.patch.length > 0;
      if (changed || round === 1) trace.push({ injector: stage.name, round, ...decision });
      if (decision.decision === 'denied') {
        return { allowed: false, reason: decision.reason, injector: stage.name, trace };
      }
      if (changed) {
        patch.push(...decision.patch);
        changes++;
      }
      if (!changed || stage.injector.idempotent) settledAt[index] = changes;
    }
    if (changes === before) {
      return {
        allowed: true,
        object: run.object,
        patch,
        warnings: [...new Set([...warnings.values()].flat())],
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
  /** Of the object, made by earlier grafts of this run. */
  readonly copies: Copies;
  object: KubeObject;
}

function decide(stage: Stage, run: Run, warnings: Map<string, readonly string[]>): Decision {
  const { request, cluster, files } = run;
  const reason = mismatch(stage.match, request, run.object, () => namespaceLabelsOf(request, cluster));
  if (reason !== undefined) return { decision: 'unmatched', reason };
  try {
    const verdict = stage.injector.inject(run.object, {
      request,
      cluster,
      files,
      config: stage.config,
    }) as Verdict;
    if ('deny' in verdict) return { decision: 'denied', reason: verdict.deny };
    // What an injector says last is what holds: an earlier round may have warned of what has come since.
    warnings.set(stage.name, verdict.warnings ?? []);
    if ('skip' in verdict) return { decision: 'skipped', reason: verdict.skip };
    const grafted = grafting(verdict, run);
    run.object = grafted.object as unknown as KubeObject;
    return { decision: 'grafted', patch: grafted.patch, kept: grafted.kept };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new PodgraftError('INJECTOR_FAILED', `Injector "${stage.name}" failed: ${message}`, { cause });
  }
}

function grafting(verdict: Extract<Verdict, { overlay: unknown } | { target: unknown }>, run: Run): Grafted {
  const object = asJson(run.object);
  return 'target' in verdict
    ? graftTarget(object, asJson(verdict.target), run.shape)
    : graft(object, verdict.overlay as JsonObject, run.shape, run.copies);
}

function untouched(pipeline: Pipeline, object: KubeObject, reason: string): Outcome {
  const trace = pipeline.stages.map(
    (stage): Step => ({ injector: stage.name, round: 1, decision: 'unmatched', reason }),
  );
  return { allowed: true, object, patch: [], warnings: [], trace };
}
