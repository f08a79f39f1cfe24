import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { Step } from '../pipeline/trace.ts';
import type { RecordedDecision } from './decision.ts';
import { createMask, type Mask } from './mask.ts';
import { injectorViews, keptOf, type OwnRun, turnsOf } from './own-run.ts';
import { runView } from './run-view.ts';
import type { RunView, StopView } from './view.ts';

/** What the page shows of a decision that the server has made. Secrets are masked, unless the caller brings another mask. */
export function reviewView(decision: RecordedDecision, mask: Mask = createMask()): RunView {
  const { stages } = decision;
  const review = mask.all(asObject(tryParseJson(decision.review)));
  const request = asObject(review.request);
  const sent = asObject(request.object ?? request.oldObject);
  const response = asObject(asObject(tryParseJson(decision.answer ?? '')).response);
  const trace = (tryParseJson(decision.trace) ?? []) as unknown as readonly Step[];
  const { failure } = decision;
  const run: OwnRun = { seen: sent, trace: maskedTrace(trace, mask), ...(failure && { failure }) };
  const turns = decision.endpoint === '/mutate' ? turnsOf(run, stages) : [];
  const result = (turns.at(-1)?.after ?? sent) as JsonObject;
  const denial = denialOf(decision, response, trace);
  return runView({
    request: decision.item,
    sent,
    turns,
    result,
    ...(denial && { denial }),
    failed: failure !== undefined,
    warnings: Array.isArray(response.warnings) ? response.warnings.map(String) : [],
    kept: keptOf([run]),
    injectors: injectorViews(stages, [run], undefined),
    stops: stopsOf(decision, review, response, run, sent, result, denial),
  });
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function maskedTrace(trace: readonly Step[], mask: Mask): readonly Step[] {
  return trace.map((step): Step => {
    if (step.decision !== 'grafted') return step;
    const patch = mask.all(step.patch as unknown as Json) as unknown as typeof step.patch;
    const kept = step.kept.map(({ path, found, wanted, ...rest }) => ({
      ...rest,
      path,
      found: mask.at(path, found),
      wanted: mask.at(rest.wantedField === undefined ? path : besides(path, rest.wantedField), wanted),
    }));
    return { ...step, patch, kept };
  });
}

function besides(path: Pointer, field: string): Pointer {
  return path.slice(0, path.lastIndexOf('/') + 1) + escapeSegment(field);
}

function denialOf(
  { failure }: RecordedDecision,
  response: JsonObject,
  trace: readonly Step[],
): RunView['denial'] {
  if (failure !== undefined) {
    const { message, injector } = failure;
    return { code: 500, reason: 'InternalError', message, ...(injector && { by: injector }) };
  }
  if (response.allowed !== false) return undefined;
  const { code, reason, message } = asObject(response.status);
  const by = trace.find(({ decision }) => decision === 'denied')?.injector;
  return {
    code: typeof code === 'number' ? code : 403,
    reason: String(reason ?? 'Forbidden'),
    message: String(message ?? ''),
    ...(by && { by }),
  };
}

function stopsOf(
  { item, endpoint, failure }: RecordedDecision,
  review: JsonObject,
  response: JsonObject,
  { trace }: OwnRun,
  sent: JsonObject,
  result: JsonObject,
  denial: RunView['denial'],
): StopView[] {
  const patch = trace.flatMap((step) => (step.decision === 'grafted' ? [...step.patch] : []));
  const isChanged = endpoint === '/mutate' && patch.length > 0 && denial === undefined;
  const quiet = isChanged ? 'changed the object' : 'allowed without a change';
  // Base64 of the patch, which is shown beside it.
  const { patch: _, ...answer } = response;
  const phase = endpoint === '/mutate' ? 'mutating' : 'validating';
  return [
    {
      id: 'before-0-authentication',
      phase: 'before',
      round: 0,
      title: 'Authentication',
      outcome: 'passed',
      detail: `as ${item.user}`,
      milliseconds: 0,
    },
    {
      id: `${phase}-0-podgraft`,
      phase,
      round: 0,
      title: `podgraft ${endpoint}`,
      outcome: failure ? 'failed' : denial ? 'denied' : isChanged ? 'changed' : 'passed',
      detail: denial?.message ?? quiet,
      milliseconds: item.milliseconds,
      review,
      answer: failure?.message ?? answer,
      ...(isChanged && {
        patch: patch as unknown as readonly Json[],
        before: toYaml(sent),
        after: toYaml(result),
      }),
    },
  ];
}
