import { applyPatch } from '../json/apply-patch.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { itemsOf, membersOf } from '../kube/json-parts.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podValidationProblems } from '../kube/pod-validation.ts';
import type { PodProblem } from '../kube/problem-list.ts';
import { templatePathOf } from '../kube/workload.ts';
import type { Outcome } from './trace.ts';

/** Why the API server would reject the result of injection. */
export interface ResultProblem extends PodProblem {
  /** Whose change made it invalid; absent if the object was so before. */
  readonly injector?: string;
}

/**
 * The problems of a Pod, or of the template of a workload, after injection. The outcome must be of this object. `claimVolumes` are
 * volumes that the Pod will get from its controller.
 */
export function resultProblems(
  object: KubeObject,
  outcome: Outcome,
  claimVolumes: readonly string[] = [],
): readonly ResultProblem[] {
  if (!outcome.allowed) return [];
  const problems = problemsOf(outcome.object, claimVolumes);
  if (problems.length === 0) return problems;
  const culprits = culpritsOf(object, outcome, claimVolumes);
  return withIdentities(problems).map(([identity, problem]) => {
    const injector = culprits.get(identity);
    return injector === undefined ? problem : { ...problem, injector };
  });
}

/** The problems that injection has caused. */
export function introducedProblems(object: KubeObject, outcome: Outcome): readonly ResultProblem[] {
  // Nearly always empty, and limited to what has changed.
  if (!outcome.allowed || problemsOf(outcome.object, [], object).length === 0) return [];
  return resultProblems(object, outcome).filter(({ injector }) => injector !== undefined);
}

/** The volumes that the Pods of a StatefulSet get for its claim templates. */
export function claimVolumesOf(object: KubeObject): readonly string[] {
  const names = itemsOf(membersOf(asJson(object).spec).volumeClaimTemplates).map(
    (claim) => membersOf(membersOf(claim).metadata).name,
  );
  return names.filter((name) => typeof name === 'string');
}

function problemsOf(
  object: KubeObject,
  claimVolumes: readonly string[],
  before?: KubeObject,
): readonly PodProblem[] {
  const json = asJson(object);
  const jsonBefore = before && asJson(before);
  if (object.kind === 'Pod' && object.apiVersion === 'v1') {
    return podValidationProblems(json, claimVolumes, jsonBefore);
  }
  const path = templatePathOf(object);
  const template = path === undefined ? undefined : valueAt(json, path);
  if (path === undefined || !isJsonObject(template)) return [];
  const templateBefore = jsonBefore && membersOf(valueAt(jsonBefore, path));
  const problems = podValidationProblems(template, claimVolumesOf(object), templateBefore);
  return problems.map((problem) => ({ ...problem, path: path + problem.path }));
}

/** Maps each problem to the injector whose change introduced it. Only needed for objects that are rejected: it repeats all steps. */
function culpritsOf(
  object: KubeObject,
  { trace }: Outcome,
  claimVolumes: readonly string[],
): ReadonlyMap<string, string> {
  const culprits = new Map<string, string>();
  let current: Json = asJson(object);
  let before = identitiesOf(object, claimVolumes);
  for (const step of trace) {
    if (step.decision !== 'grafted' || step.patch.length === 0) continue;
    current = applyPatch(current, step.patch);
    const after = identitiesOf(current as unknown as KubeObject, claimVolumes);
    for (const identity of after) if (!before.has(identity)) culprits.set(identity, step.injector);
    before = after;
  }
  return culprits;
}

function identitiesOf(object: KubeObject, claimVolumes: readonly string[]): ReadonlySet<string> {
  return new Set(withIdentities(problemsOf(object, claimVolumes)).map(([identity]) => identity));
}

/** Indices change when items are inserted. Messages name the container, and repeated ones get a counter. */
function withIdentities(problems: readonly PodProblem[]): (readonly [string, PodProblem])[] {
  const seen = new Map<string, number>();
  return problems.map((problem) => {
    const text = `${problem.path.replace(/\/\d+(?=\/|$)/g, '')} ${problem.message}`;
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return [`${text} ${count}`, problem] as const;
  });
}
