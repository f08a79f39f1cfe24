import type { Outcome, Step, WebhookStep } from '../chain/outcome.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Author, Turn } from './blame.ts';
import { chainStops, type FindingsOf } from './chain-stops.ts';
import { injectorViews, keptOf, type OwnRun, type StageInfo, turnsOf } from './own-run.ts';
import { runView } from './run-view.ts';
import type { RequestSummary, RunView } from './view.ts';

export interface ChainRun {
  readonly request: RequestSummary;
  readonly sent: JsonObject;
  /** As its author wrote it. */
  readonly text?: string;
  readonly outcome: Outcome;
  /** The runs of podgraft's injectors, by the review that caused them. */
  readonly own: ReadonlyMap<JsonObject, OwnRun>;
  readonly stages: readonly StageInfo[];
  /** Injectors that are switched off for this run. */
  readonly off?: readonly string[];
  readonly findingsOf?: FindingsOf;
}

/** What the page shows of an object that went through the model of the admission phase. */
export function chainView(run: ChainRun): RunView {
  const { request, sent, text, outcome, own, stages, off = [], findingsOf } = run;
  const runs = [...own.values()];
  const failure = runs.flatMap((each) => each.failure ?? [])[0];
  return runView({
    request,
    sent,
    ...(text !== undefined && { text }),
    turns: outcome.trace.flatMap((step) => turnsOfStep(step, own, stages)),
    result: outcome.object ?? sent,
    warnings: outcome.warnings,
    ...denialOf(outcome, runs, failure),
    failed: failure !== undefined && outcome.allowed,
    kept: keptOf(runs),
    injectors: injectorViews(stages, runs, notCalledReason(outcome, run), off),
    stops: chainStops(outcome, request.user, findingsOf),
  });
}

function turnsOfStep(step: Step, own: ChainRun['own'], stages: readonly StageInfo[]): Turn[] {
  if (step.result.outcome !== 'changed' || step.type === 'validation') return [];
  const { before, after } = step.result;
  if (step.type === 'plugin') return [{ before, after, author: pluginAuthor(step.plugin) }];
  if (step.type === 'policy') {
    const binding = step.binding === undefined ? '' : `, binding "${step.binding}"`;
    const reason = `${step.kind} "${step.policy}"${binding}`;
    return [{ before, after, author: { owner: step.policy, reason } }];
  }
  const run = step.call && own.get(step.call.review);
  return run === undefined ? [webhookTurn(step, before, after)] : turnsOf(run, stages);
}

function pluginAuthor(plugin: string): Author {
  return { owner: plugin, reason: `the API server's own plug-in ${plugin}`, isPlugin: true };
}

/** Only the patch is the webhook's change: the API server fills in defaults afterwards. */
function webhookTurn(step: WebhookStep, before: JsonObject, after: JsonObject): Turn {
  const reason = `webhook "${step.webhook}" of configuration "${step.configuration}"`;
  const author = { owner: step.webhook, reason };
  return { before, after: tryPatch(before, step.call?.patch) ?? after, author };
}

/** Undefined for a patch in the API server's dialect, which RFC 6902 does not know. */
function tryPatch(before: JsonObject, patch: readonly Json[] | undefined): Json | undefined {
  try {
    return patch && applyPatch(before, patch as unknown as Patch);
  } catch (error) {
    if (error instanceof PodgraftError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function denialOf(
  outcome: Outcome,
  runs: readonly OwnRun[],
  failure: OwnRun['failure'],
): Pick<RunView, 'denial'> {
  if (outcome.allowed) {
    if (failure === undefined) return {};
    const { message, injector } = failure;
    return { denial: { code: 500, reason: 'InternalError', message, ...(injector && { by: injector }) } };
  }
  const { code, reason = '', message } = outcome.status;
  const by = denierOf(outcome, runs);
  return { denial: { code, reason, message, ...(by && { by }) } };
}

function denierOf({ trace }: Outcome, runs: readonly OwnRun[]): string | undefined {
  const injector = runs.flatMap((run) => run.trace).find(({ decision }) => decision === 'denied')?.injector;
  const last = trace.findLast(({ result }) => result.outcome === 'rejected');
  if (injector !== undefined) return injector;
  switch (last?.type) {
    case 'plugin':
      return last.plugin;
    case 'policy':
      return last.policy;
    case 'webhook':
      return last.webhook;
    default:
      return last && 'API server';
  }
}

/** Why podgraft was not called. */
function notCalledReason({ trace, allowed }: Outcome, { stages, off = [] }: ChainRun): string {
  if (stages.length === off.length) return 'no injector is configured';
  const skips = trace.flatMap((step) =>
    step.type === 'webhook' && step.configuration === OWN_CONFIGURATION && step.result.outcome === 'skipped'
      ? [step.result.detail || step.result.because]
      : [],
  );
  if (skips.length > 0) return [...new Set(skips)].join('; ');
  return allowed ? 'the webhook does not match' : 'the request was already rejected';
}

/** The name of podgraft's webhook configurations in the model. */
export const OWN_CONFIGURATION = 'podgraft';
