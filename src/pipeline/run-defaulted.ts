import { exactPatch } from '../graft/exact-patch.ts';
import type { Kept } from '../graft/patch-writer.ts';
import type { Shape } from '../graft/shape.ts';
import { shapeOf } from '../graft/shape-of.ts';
import { withoutDefaults, withoutUnchangedDefaults } from '../graft/without-defaults.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { withDefaults } from '../kube/api-defaults.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { anyPodDefaults } from '../kube/pod-defaults.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { type ResultProblem, resultProblems } from './result-problems.ts';
import type { Outcome, Step } from './trace.ts';
import { runAndValidate } from './validate-stages.ts';

/**
 * Runs a pipeline on an object of a file. Injectors see it as on a cluster, with the API server's defaults; the resulting object and
 * patch are relative to the object as it is in the file, without these. The trace is as on a cluster. `claimVolumes` are volumes that the
 * Pod will get from its controller.
 */
export function runDefaulted(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  files: FileView | undefined,
  claimVolumes: readonly string[],
): DefaultedRun {
  const defaulted = withDefaults(object);
  const outcome = runAndValidate(pipeline, request, defaulted, cluster, files);
  const problems = resultProblems(defaulted, outcome, claimVolumes);
  if (defaulted === object) return { seen: defaulted, outcome, problems };
  return { seen: defaulted, outcome: withoutDefaulting(outcome, object, defaulted), problems };
}

export interface DefaultedRun {
  /** The object as the first injector saw it. */
  readonly seen: KubeObject;
  readonly outcome: Outcome;
  readonly problems: readonly ResultProblem[];
}

function withoutDefaulting(outcome: Outcome, object: KubeObject, defaulted: KubeObject): Outcome {
  const shape = shapeOf(object.apiVersion, object.kind);
  const trace = markDefaults(outcome.trace, asJson(object), asJson(defaulted), shape);
  if (!outcome.allowed) return { ...outcome, trace };
  if (outcome.patch.length === 0) return { ...outcome, object, trace };
  const target = withoutDefaults(asJson(object), asJson(defaulted), asJson(outcome.object), shape, fillIn);
  const patch = exactPatch(asJson(object), target, outcome.patch, shape);
  return { ...outcome, object: target as unknown as KubeObject, patch, trace };
}

/** A priority next to a class that an injector has added would be rejected. */
function fillIn(object: JsonObject): JsonObject {
  return asJson(withDefaults(object as unknown as KubeObject, anyPodDefaults));
}

/** Marks kept values that are defaults. */
function markDefaults(
  trace: readonly Step[],
  object: JsonObject,
  defaulted: JsonObject,
  shape: Shape,
): readonly Step[] {
  let current: Json = defaulted;
  return trace.map((step) => {
    if (step.decision !== 'grafted') return step;
    current = applyPatch(current, step.patch);
    if (step.kept.length === 0) return step;
    const authored = withoutUnchangedDefaults(object, defaulted, current as JsonObject, shape);
    const kept = step.kept.map((each): Kept => {
      // A field that a probe lacks is kept, but the object has no value there.
      const isThere = valueAt(current, each.path) !== undefined;
      return isThere && valueAt(authored, each.path) === undefined ? { ...each, isDefault: true } : each;
    });
    return { ...step, kept };
  });
}
