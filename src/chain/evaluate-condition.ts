import type { Authorize } from '../cel/values/authorizer-values.ts';
import type { JsonObject } from '../json/json.ts';
import type { FieldError } from '../kube/field-error.ts';
import type { Attributes } from '../policy/attributes.ts';
import { expressionBindings } from '../policy/bindings.ts';
import { convertObject, kindOfResource } from '../policy/convert-object.ts';
import { type ConditionResult, evaluateConditions } from '../policy/evaluate.ts';
import type { RuleMatch } from '../policy/match-rules.ts';
import { conditionErrors } from '../policy/validate-policy.ts';
import { webhookConditions } from '../policy/webhook-conditions.ts';
import type { Webhook } from './webhook.ts';

/** Evaluates a webhook's matchConditions on a request. There are no params, no variables, and no namespace. */
export function evaluateWebhookConditions(
  webhook: Webhook,
  request: Attributes,
  match: RuleMatch,
  authorize: Authorize | undefined,
): ConditionResult {
  const kind = kindOfResource(request, match.resource);
  const bindings = expressionBindings({
    request,
    kind,
    resource: match.resource,
    object: convertObject(request.object, kind),
    oldObject: convertObject(request.oldObject, kind),
    namespaceObject: null,
    authorize: authorize ?? 'unavailable',
  });
  return evaluateConditions(webhookConditions(webhook.source), bindings);
}

/** API validation of a webhook's matchConditions. */
export function validateConditions(webhook: JsonObject, field: string): FieldError[] {
  return conditionErrors(webhook.matchConditions, webhookConditions(webhook), field);
}
