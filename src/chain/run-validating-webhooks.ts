import type { Attributes } from '../policy/attributes.ts';
import { convertObject, kindOfResource } from '../policy/convert-object.ts';
import { internalError, REQUEST_TIMEOUT } from '../policy/status.ts';
import { buildReview } from './build-review.ts';
import { callWebhook } from './call-webhook.ts';
import type { ChainContext } from './context.ts';
import { denial } from './denial.ts';
import { matchWebhook } from './match-webhook.ts';
import type { Status, WebhookCall, WebhookStep } from './outcome.ts';
import type { Webhook } from './webhook.ts';

/** Calls all validating webhooks that match at once, and waits for all. Of several errors, the one that arrives first counts. */
export async function runValidatingWebhooks(
  webhooks: readonly Webhook[],
  request: Attributes,
  context: ChainContext,
): Promise<Status | undefined> {
  const matched: [Webhook, Attributes['resource']][] = [];
  const steps = new Map<Webhook, WebhookStep>();
  for (const webhook of webhooks) {
    const match = matchWebhook(webhook, request, context);
    if ('status' in match) {
      context.recorder.step(step(webhook, 0, { outcome: 'rejected', status: match.status }));
      return match.status;
    }
    if ('outcome' in match) steps.set(webhook, step(webhook, 0, match));
    else matched.push([webhook, match.resource]);
  }
  let first: Status | undefined;
  await Promise.all(
    matched.map(async ([webhook, resource], index) => {
      const started = performance.now();
      const visited = await visit(webhook, resource, index, request, context);
      if (visited.result.outcome === 'rejected') first ??= visited.result.status;
      steps.set(webhook, step(webhook, performance.now() - started, visited.result, visited.call));
    }),
  );
  for (const webhook of webhooks) {
    const taken = steps.get(webhook);
    if (taken !== undefined) context.recorder.step(taken);
  }
  return first;
}

function step(
  webhook: Webhook,
  milliseconds: number,
  result: WebhookStep['result'],
  call?: WebhookCall,
): WebhookStep {
  const { configuration, name, index } = webhook;
  return {
    type: 'webhook',
    phase: 'validating',
    round: 0,
    configuration,
    webhook: name,
    index,
    milliseconds,
    ...(call && { call }),
    result,
  };
}

/** `index` counts the webhooks that match. */
async function visit(
  webhook: Webhook,
  resource: Attributes['resource'],
  index: number,
  request: Attributes,
  context: ChainContext,
): Promise<{ readonly call: WebhookCall; readonly result: WebhookStep['result'] }> {
  const { recorder } = context;
  const uid = context.newUid();
  const kind = kindOfResource(request, resource);
  const object = convertObject(request.object, kind);
  const oldObject = convertObject(request.oldObject, kind);
  const versioned = { original: request, kind, resource, object, oldObject };
  const review = buildReview(versioned, webhook.reviewVersion, uid);
  const called = await callWebhook(webhook, review, uid, context.call, context.deadline);
  const { call } = called;
  if (performance.now() >= context.deadline)
    return { call, result: { outcome: 'rejected', status: REQUEST_TIMEOUT } };
  if ('error' in called) {
    const error = `failed calling webhook ${JSON.stringify(webhook.name)}: ${called.error}`;
    if (webhook.failurePolicy === 'Fail')
      return { call, result: { outcome: 'rejected', status: internalError(error) } };
    recorder.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, webhook.name);
    return { call, result: { outcome: 'failed open', error } };
  }
  const { response } = called;
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
    recorder.annotate(`${webhook.name}/${key}`, value);
  }
  for (const warning of response.warnings ?? []) recorder.warn(warning);
  return {
    call,
    result: response.allowed
      ? { outcome: 'unchanged' }
      : { outcome: 'rejected', status: denial(webhook.name, response) },
  };
}
