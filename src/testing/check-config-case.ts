import { isDeepStrictEqual } from 'node:util';
import { filesView } from '../cluster/views/files-view.ts';
import { readFiles, textFiles } from '../files/text-files.ts';
import { applyPatch } from '../json/apply-patch.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podTemplatePathOf } from '../kube/workload.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import { problemsOf } from '../pipeline/problems.ts';
import { type ManifestOutcome, type ManifestRequest, runManifest } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import type { FileView } from '../sdk/file-view.ts';
import { type Case, checkGolden } from './cases.ts';

/**
 * Runs a whole configuration on the objects of a case, as `podgraft inject` does, and compares the results with the golden file.
 * Also checks that a second run changes nothing. Throws on any failure.
 */
export function checkConfigCase(
  pipeline: Pipeline,
  testCase: Case,
  options: { update?: boolean } = {},
): void {
  const { settings, objects, golden } = testCase;
  const { operation, namespace, user: username } = settings;
  const request: ManifestRequest = { operation, namespace, username, defaults: true };
  const cluster = filesView(objects);
  const files = filesOf(pipeline, settings.files);
  const errors = problemsOf(pipeline, cluster, files).filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new Error(errors.map(({ injector, problem }) => `injector "${injector}": ${problem}`).join('\n'));
  const results = objects.flatMap((object) => {
    const outcome = runManifest(pipeline, object, request, cluster, files);
    if (!isSubject(object, outcome, pipeline)) return [];
    const patched = applyPatch(asJson(object), outcome.patch);
    if (!isDeepStrictEqual(patched, outcome.object)) throw new Error('The patch does not give the object');
    if (outcome.allowed) {
      const { patch } = runManifest(pipeline, outcome.object, request, cluster, files);
      if (patch.length > 0) throw new Error(`A second run changes "${patch[0]?.path}" again`);
    }
    return [resultOf(object, outcome)];
  });
  if (results.length === 0) throw new Error('No object for the configuration');
  checkGolden(golden, results.length === 1 ? results[0] : results, options);
}

/** Files of the case, and those that exist: the configuration's own policies, for example. */
function filesOf(pipeline: Pipeline, texts: { readonly [path: string]: string }): FileView {
  const given = textFiles(texts);
  const existing = readFiles(fileSources(pipeline).filter(({ path }) => !Object.hasOwn(texts, path)));
  return { get: (source) => given.get(source) ?? existing.get(source) };
}

/** Pods, workloads, and other objects that an injector looked at; the rest forms the cluster. */
function isSubject(object: KubeObject, { parts }: ManifestOutcome, { workloads }: Pipeline): boolean {
  if (object.kind === 'Pod' || podTemplatePathOf(object, workloads) !== undefined) return true;
  return parts.some(({ outcome }) => outcome.trace.some(({ decision }) => decision !== 'unmatched'));
}

function resultOf(
  { kind, metadata }: KubeObject,
  { allowed, object, patch, parts }: ManifestOutcome,
): object {
  const steps = parts
    .flatMap(({ outcome }) => outcome.trace)
    .filter(({ decision }) => decision !== 'unmatched');
  const warnings = parts.flatMap(({ outcome }) => (outcome.allowed ? outcome.warnings : []));
  const problems = parts.flatMap(({ path, problems: found }) =>
    found.map((problem) => `${path}${problem.path}: ${problem.message}`),
  );
  return {
    [kind]: metadata.name ?? metadata.generateName ?? '',
    injectors: decisionsIn(steps),
    ...(warnings.length > 0 && { warnings }),
    ...(problems.length > 0 && { invalid: problems }),
    ...(!allowed && { denied: true }),
    ...(patch.length > 0 && { object }),
  };
}

/** The last one of each injector. One that has nothing to judge afterwards has still done what it did before. */
function decisionsIn(steps: readonly Step[]): object {
  const decisions = new Map<string, string>();
  for (const step of steps) {
    if (step.decision === 'skipped' && decisions.has(step.injector)) continue;
    decisions.set(step.injector, decisionOf(step));
  }
  return Object.fromEntries(decisions);
}

function decisionOf(step: Step): string {
  if (step.decision !== 'grafted') return `${step.decision}: ${step.reason}`;
  return step.patch.length > 0 || step.round > 1 ? 'grafted' : 'nothing to add';
}
