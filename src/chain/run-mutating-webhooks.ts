import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import { codecOf } from '../policy/codec.ts';
import { convertObject, kindOfResource } from '../policy/convert-object.ts';
import { goJsonText } from '../policy/patch/raw-json.ts';
import { internalError, REQUEST_TIMEOUT } from '../policy/status.ts';
import { applyWebhookPatch } from './apply-webhook-patch.ts';
import { buildReview } from './build-review.ts';
import { callWebhook } from './call-webhook.ts';
import { type ChainContext, type Mutated, withObject } from './context.ts';
import { denial } from './denial.ts';
import { matchWebhook } from './match-webhook.ts';
import type { MutatingState } from './mutating-state.ts';
import type { WebhookCall, WebhookStep } from './outcome.ts';
import type { Webhook } from './webhook.ts';

/** Calls the mutating webhooks one after another, in one round. */
export async function runMutatingWebhooks(
  webhooks: readonly Webhook[],
  request: Attributes,
  state: MutatingState,
  context: ChainContext,
): Promise<Mutated> {
  let current = request;
  if (state.round === 1) state.webhooks.compare(current.object);
  for (const webhook of webhooks) {
    const started = performance.now();
    const visited = await visit(webhook, current, state, context);
    context.recorder.step({
      type: 'webhook',
      phase: 'mutating',
      round: state.round,
      configuration: webhook.configuration,
      webhook: webhook.name,
      index: webhook.index,
      milliseconds: performance.now() - started,
      ...(visited.call && { call: visited.call }),
      result: visited.result,
    });
    const { result } = visited;
    if (result.outcome === 'rejected') return { status: result.status };
    if (result.outcome === 'changed') current = withObject(current, result.after);
    else if (visited.object !== undefined) current = withObject(current, visited.object);
  }
  state.webhooks.finished(current.object);
  return { object: current.object };
}

interface Visited {
  readonly call?: WebhookCall;
  readonly result: WebhookStep['result'];
  /** Of a patch that changed only defaults. */
  readonly object?: JsonObject;
}

async function visit(
  webhook: Webhook,
  request: Attributes,
  state: MutatingState,
  context: ChainContext,
): Promise<Visited> {
  const match = matchWebhook(webhook, request, context);
  if ('status' in match) return { result: { outcome: 'rejected', status: match.status } };
  if ('outcome' in match) return { result: match };
  const member = `${webhook.configuration}/${webhook.name}/${webhook.index}`;
  if (state.round === 1 && !state.webhooks.isAgain(member)) {
    const detail = 'nothing changed the object after its call, or its reinvocationPolicy is "Never"';
    return { result: { outcome: 'skipped', because: 'not reinvoked', detail } };
  }
  const visited = await call(webhook, request, match.resource, state, context);
  if (visited.mutated) {
    state.webhooks.changed();
    state.needsRound = true;
  }
  if (webhook.reinvocationPolicy === 'IfNeeded') state.webhooks.invoked(member);
  return visited;
}

async function call(
  webhook: Webhook,
  request: Attributes,
  resource: Attributes['resource'],
  state: MutatingState,
  context: ChainContext,
): Promise<Visited & { readonly mutated: boolean }> {
  const { recorder } = context;
  const place = `webhook.admission.k8s.io/round_${state.round}_index_${webhook.index}`;
  const names = { configuration: webhook.configuration, webhook: webhook.name };
  const note = (mutated: boolean) =>
    recorder.annotate(`mutation.${place}`, () => goJsonText({ ...names, mutated }));
  const uid = context.newUid();
  const kind = kindOfResource(request, resource);
  const versioned = {
    original: request,
    kind,
    resource,
    object: convertObject(request.object, kind),
    oldObject: convertObject(request.oldObject, kind),
  };
  const review = buildReview(versioned, webhook.reviewVersion, uid);
  const called = await callWebhook(webhook, review, uid, context.call, context.deadline);
  if (performance.now() >= context.deadline) {
    note(false);
    return rejected(called.call, REQUEST_TIMEOUT);
  }
  if ('error' in called) {
    note(false);
    return failed(webhook, called.call, called.error, () =>
      recorder.annotate(`failed-open.mutation.${place}`, webhook.name),
    );
  }
  const { response } = called;
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
    recorder.annotate(`${webhook.name}/${key}`, value);
  }
  for (const warning of response.warnings ?? []) recorder.warn(warning);
  if (!response.allowed) {
    note(false);
    return rejected(called.call, denial(webhook.name, response));
  }
  const patched = applyWebhookPatch(
    webhook,
    response,
    versioned.object,
    request,
    codecOf(kind, context.cluster),
  );
  const traced: WebhookCall =
    patched.patch === undefined ? called.call : { ...called.call, patch: patched.patch };
  if ('unpatched' in patched) {
    note(false);
    return { call: called.call, result: { outcome: 'unchanged' }, mutated: false };
  }
  if ('callError' in patched) {
    note(false);
    return failed(webhook, traced, patched.callError, () =>
      recorder.annotate(`failed-open.mutation.${place}`, webhook.name),
    );
  }
  if ('status' in patched) {
    if (patched.isAfterDecoding) recordPatch();
    note(patched.isAfterDecoding);
    return rejected(traced, patched.status);
  }
  // The time of fresh managedFields loses its fraction by the first patch, which counts as a change.
  const mutated = patched.changed || state.hasFreshTime;
  state.hasFreshTime = false;
  recordPatch();
  note(mutated);
  const isSame = patched.object === request.object;
  return {
    call: traced,
    mutated,
    object: patched.object,
    result:
      isSame || !patched.isDifferent
        ? { outcome: 'unchanged' }
        : { outcome: 'changed', before: request.object as JsonObject, after: patched.object },
  };

  function recordPatch(): void {
    recorder.annotate(`patch.${place}`, () =>
      goJsonText({ ...names, patch: patched.patch ?? [], patchType: 'JSONPatch' }),
    );
  }
}

function rejected(call: WebhookCall, status: ReturnType<typeof denial>) {
  return { call, mutated: false, result: { outcome: 'rejected', status } } as const;
}

function failed(webhook: Webhook, call: WebhookCall, reason: string, failOpen: () => void) {
  const error = `failed calling webhook ${JSON.stringify(webhook.name)}: ${reason}`;
  if (webhook.failurePolicy === 'Fail') return rejected(call, internalError(error));
  failOpen();
  return { call, mutated: false, result: { outcome: 'failed open', error } } as const;
}
