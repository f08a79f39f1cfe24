import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { ManifestOutcome, ManifestPart } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import { injectorViews, keptOf, type OwnRun, type StageInfo, turnsOf } from './own-run.ts';
import { runView } from './run-view.ts';
import type { RequestSummary, RunView, StopView } from './view.ts';

export interface ManifestRun {
  readonly request: RequestSummary;
  readonly sent: KubeObject;
  /** As its author wrote it. */
  readonly text?: string;
  readonly outcome: ManifestOutcome;
  readonly stages: readonly StageInfo[];
  /** Why the API server would reject the result. */
  readonly problems: readonly string[];
}

/** What the page shows of an object of a file: the injectors on the object and, if it is a workload, on its Pods. */
export function manifestView({ request, sent, text, outcome, stages, problems }: ManifestRun): RunView {
  const runs = liftedRuns(outcome.parts);
  return runView({
    request,
    sent: asJson(sent),
    ...(text !== undefined && { text }),
    turns: runs.flatMap((run) => turnsOf(run, stages)),
    result: asJson(outcome.object),
    warnings: outcome.parts.flatMap((part) => (part.outcome.allowed ? part.outcome.warnings : [])),
    ...denialOf(outcome, problems),
    kept: keptOf(runs),
    injectors: injectorViews(stages, runs, undefined),
    stops: runs.flatMap((run, index) => stopsOf(run, outcome.parts[index]?.path === '' ? '' : ' (Pod)')),
  });
}

/** The runs as if each had seen the whole object: paths of a Pod begin at the template. */
function liftedRuns(parts: readonly ManifestPart[]): OwnRun[] {
  let whole: JsonObject = {};
  return parts.map(({ path, seen, outcome: { trace } }) => {
    const lifted = path === '' ? asJson(seen) : withTemplate(whole, path, asJson(seen));
    const run = { seen: lifted, trace: trace.map((step) => liftStep(step, path)) };
    whole = trace.reduce<Json>(
      (object, step, index) =>
        step.decision === 'grafted' ? applyPatch(object, patchOf(run.trace[index])) : object,
      lifted,
    ) as JsonObject;
    return run;
  });
}

function withTemplate(whole: JsonObject, path: string, pod: JsonObject): JsonObject {
  const template = valueAt(whole, path) as JsonObject;
  const value = { ...template, metadata: member(pod, 'metadata') ?? {}, spec: member(pod, 'spec') ?? {} };
  return applyPatch(whole, [{ op: 'replace', path, value }]) as JsonObject;
}

function liftStep(step: Step, path: string): Step {
  if (step.decision !== 'grafted' || path === '') return step;
  const patch = step.patch.map((operation) => ({
    ...operation,
    path: path + operation.path,
    ...('from' in operation && { from: path + operation.from }),
  }));
  return { ...step, patch, kept: step.kept.map((each) => ({ ...each, path: path + each.path })) };
}

function patchOf(step: Step | undefined) {
  return step?.decision === 'grafted' ? step.patch : [];
}

function denialOf({ parts }: ManifestOutcome, problems: readonly string[]): Pick<RunView, 'denial'> {
  const denied = parts.map(({ outcome }) => outcome).find(({ allowed }) => !allowed);
  if (denied?.allowed === false)
    return { denial: { code: 403, reason: 'Forbidden', message: denied.reason, by: denied.injector } };
  if (problems.length === 0) return {};
  return { denial: { code: 422, reason: 'Invalid', message: problems.join('\n'), by: 'API server' } };
}

/** A stop for each injector in each round. */
function stopsOf({ seen, trace }: OwnRun, suffix: string): StopView[] {
  let current: Json = seen;
  return trace.map((step): StopView => {
    const before = current;
    current = applyPatch(current, patchOf(step));
    const patch = patchOf(step);
    return {
      id: `${step.round}-${step.injector}${suffix}`,
      phase: step.decision === 'validated' ? 'validating' : 'mutating',
      round: step.round - 1,
      title: step.injector + suffix,
      milliseconds: 0,
      ...resultOf(step),
      ...(patch.length > 0 && {
        patch: patch as readonly unknown[] as readonly Json[],
        before: toYaml(before as JsonObject),
        after: toYaml(current as JsonObject),
      }),
    };
  });
}

function resultOf(step: Step): Pick<StopView, 'outcome' | 'detail'> {
  const notes = step.notes?.join('; ') ?? '';
  switch (step.decision) {
    case 'grafted': {
      const count = step.patch.length;
      if (count > 0)
        return { outcome: 'changed', detail: notes || `${count} ${count === 1 ? 'change' : 'changes'}` };
      return { outcome: 'passed', detail: notes || 'nothing to add' };
    }
    case 'unmatched':
      return { outcome: 'skipped', detail: step.reason };
    case 'validated':
      return { outcome: 'passed', detail: step.reason };
    default:
      return { outcome: step.decision, detail: step.reason };
  }
}
