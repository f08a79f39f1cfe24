import { filesView } from '../cluster/views/files-view.ts';
import { textFiles } from '../files/text-files.ts';
import { isJsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podFromTemplate, podTemplatePathOf } from '../kube/workload.ts';
import { createPipeline, type Entry } from '../pipeline/pipeline.ts';
import { type ManifestPart, requestFor, runManifest } from '../pipeline/run-manifest.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import { type Case, checkGolden } from './cases.ts';
import { checkLaws, type LawSubject } from './laws.ts';
import { checkWaitingLaws } from './waiting-laws.ts';

export interface CheckOptions {
  /** Other injectors with which it must settle in any order. */
  readonly companions?: readonly Entry[];
}

/** Checks the laws on one case and compares the outcome with its golden file. Rejects on any failure. */
export async function checkCase(
  injector: AnyInjector,
  testCase: Case,
  { companions = [] }: CheckOptions = {},
): Promise<void> {
  const { settings, objects } = testCase;
  await injector.prepare?.(settings.with);
  const entry: Entry = {
    name: injector.name,
    injector,
    config: injector.config?.(settings.with),
    ...(settings.match && { match: settings.match }),
  };
  const cluster = filesView(objects);
  const files = textFiles(settings.files);
  const request = { operation: settings.operation, namespace: settings.namespace, username: settings.user };
  const targets = objects.filter((object) => isTarget(object, entry));
  if (targets.length === 0) throw new Error(`Case "${testCase.name}" has no object for "${injector.name}"`);

  const results: object[] = [];
  for (const object of targets) {
    for (const subject of [object, ...templatePods(object)]) {
      const own = requestFor(subject, {
        ...request,
        namespace: object.metadata.namespace ?? request.namespace,
      });
      const { removes } = settings;
      const given: LawSubject = { entry, object: subject, cluster, files, companions, removes, request: own };
      checkLaws(given);
      await checkWaitingLaws(given);
    }
    const {
      parts,
      object: result,
      patch,
    } = runManifest(createPipeline([entry]), object, request, cluster, files);
    results.push({ ...summary(parts), ...(patch.length > 0 && { object: result }) });
  }
  checkGolden(testCase.golden, results.length === 1 ? results[0] : results);
}

/** Pods, workloads and the kinds of the case's match; all other objects form the cluster. */
function isTarget(object: KubeObject, { match }: Entry): boolean {
  const named = match?.kinds?.some((kind) => (typeof kind === 'string' ? kind : kind.kind) === object.kind);
  return named ?? (object.kind === 'Pod' || podTemplatePathOf(object) !== undefined);
}

function templatePods(workload: KubeObject): KubeObject[] {
  const path = podTemplatePathOf(workload);
  const template = path === undefined ? undefined : valueAt(asJson(workload), path);
  return isJsonObject(template) ? [podFromTemplate(workload, template) as unknown as KubeObject] : [];
}

/** The last step that matched: of a workload, the one of its Pods. */
function summary(parts: readonly ManifestPart[]): object {
  const steps = parts.flatMap(({ outcome }) => outcome.trace);
  const step = steps.findLast(({ decision }) => decision !== 'unmatched') ?? steps.at(-1);
  const warnings = parts.flatMap(({ outcome }) => (outcome.allowed ? outcome.warnings : []));
  const kept = steps.flatMap((each) =>
    each.decision === 'grafted' ? each.kept.map(({ path }) => path) : [],
  );
  return {
    decision: step?.decision,
    ...(step !== undefined && 'reason' in step && { reason: step.reason }),
    ...(warnings.length > 0 && { warnings }),
    ...(kept.length > 0 && { kept }),
  };
}
