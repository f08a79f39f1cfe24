import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { Stage } from '../pipeline/pipeline.ts';
import type { Step } from '../pipeline/trace.ts';
import type { Turn } from './blame.ts';
import { readablePath } from './readable-path.ts';
import type { InjectorView, KeptView } from './view.ts';

/** A part of a stage that the page shows. */
export type StageInfo = Pick<Stage, 'name'> & {
  readonly injector: Pick<Stage['injector'], 'name' | 'summary'>;
};

/** Only what the page shows, so that nothing else is kept alive or sent to another process. */
export function stageInfo({ name, injector }: StageInfo): StageInfo {
  return { name, injector: { name: injector.name, summary: injector.summary } };
}

/** One run of podgraft's injectors on an object. */
export interface OwnRun {
  /** The object as the first injector saw it. */
  readonly seen: JsonObject;
  readonly trace: readonly Step[];
  /** Why it ended without an outcome: an injector threw. */
  readonly failure?: { readonly message: string; readonly injector?: string };
}

/** The changes of each injector, one after the other. */
export function turnsOf({ seen, trace }: OwnRun, stages: readonly StageInfo[]): Turn[] {
  let current: Json = seen;
  return trace.flatMap((step): Turn[] => {
    if (step.decision !== 'grafted' || step.patch.length === 0) return [];
    const before = current;
    current = applyPatch(before, step.patch);
    const reason = reasonOf(step, stages);
    return [{ before, after: current, author: { owner: step.injector, reason } }];
  });
}

/** Kept values that an injector would have changed, deduplicated. */
export function keptOf(runs: readonly OwnRun[]): KeptView[] {
  const kept = new Map<string, KeptView>();
  for (const { seen, trace } of runs) {
    let current: Json = seen;
    for (const step of trace) {
      if (step.decision !== 'grafted') continue;
      current = applyPatch(current, step.patch);
      for (const { path, found, wanted, wantedField } of step.kept) {
        const place = readablePath(current, path);
        const field = wantedField === undefined ? {} : { wantedField };
        kept.set(`${step.injector}\n${place}`, {
          path: place,
          owner: step.injector,
          wanted,
          found,
          ...field,
        });
      }
    }
  }
  return [...kept.values()];
}

/** Every injector, in order. `notCalledReason` is why the API server did not call podgraft; `off` are switched off for this run. */
export function injectorViews(
  stages: readonly StageInfo[],
  runs: readonly OwnRun[],
  notCalledReason: string | undefined,
  off: readonly string[] = [],
): InjectorView[] {
  return stages.map((stage): InjectorView => {
    const view = { name: stage.name, use: stage.injector.name };
    if (off.includes(stage.name)) return { ...view, outcome: 'off', reason: 'switched off for this run' };
    if (runs.length === 0)
      return { ...view, outcome: 'not matched', reason: notCalledReason ?? 'not called' };
    const failure = runs
      .flatMap(({ failure: each }) => each ?? [])
      .find(({ injector }) => injector === stage.name);
    if (failure !== undefined) return { ...view, outcome: 'failed', reason: failure.message };
    const steps = runs.flatMap(({ trace }) => trace).filter(({ injector }) => injector === stage.name);
    const views = steps.map((step) => ({ ...view, ...outcomeOf(step, stages) }));
    const [first] = views.toSorted((one, other) => rank(one) - rank(other));
    return first ?? { ...view, outcome: 'not matched', reason: 'not called: another injector ended the run' };
  });
}

/** The most important outcome comes first. */
const RANKS: readonly InjectorView['outcome'][] = [
  'denied',
  'failed',
  'changed',
  'unchanged',
  'skipped',
  'not matched',
];

function rank({ outcome }: Pick<InjectorView, 'outcome'>): number {
  return RANKS.indexOf(outcome);
}

function outcomeOf(step: Step, stages: readonly StageInfo[]): Pick<InjectorView, 'outcome' | 'reason'> {
  switch (step.decision) {
    case 'grafted': {
      if (step.patch.length > 0) return { outcome: 'changed', reason: reasonOf(step, stages) };
      return {
        outcome: 'unchanged',
        reason: step.kept.length > 0 ? 'everything is already set' : 'nothing to add',
      };
    }
    case 'unmatched':
      return { outcome: 'not matched', reason: step.reason };
    case 'validated':
      return { outcome: 'unchanged', reason: step.reason };
    default:
      return { outcome: step.decision, reason: step.reason };
  }
}

/** Its notes on this object, else its purpose. */
function reasonOf(step: Step, stages: readonly StageInfo[]): string {
  if (step.notes !== undefined && step.notes.length > 0) return step.notes.join('; ');
  return stages.find(({ name }) => name === step.injector)?.injector.summary ?? '';
}
