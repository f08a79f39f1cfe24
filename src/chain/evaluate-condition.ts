import { cacheByObject } from '../cache.ts';
import { kubernetesEnvironment } from '../cel/kubernetes-environment.ts';
import { BOOL } from '../cel/types.ts';
import type { Authorize } from '../cel/values/authorizer-values.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { FieldError } from '../kube/field-error.ts';
import type { Attributes } from '../policy/attributes.ts';
import { expressionBindings } from '../policy/bindings.ts';
import { type Compiled, tryCompile } from '../policy/compile-policy.ts';
import { convertObject, kindOfResource } from '../policy/convert-object.ts';
import { type ConditionResult, evaluateConditions } from '../policy/evaluate.ts';
import type { RuleMatch } from '../policy/match-rules.ts';
import { conditionErrors } from '../policy/validate-policy.ts';
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
  return evaluateConditions(compiledConditions(webhook.source), bindings);
}

/** API validation of a webhook's matchConditions. */
export function validateConditions(webhook: JsonObject, field: string): FieldError[] {
  return conditionErrors(webhook.matchConditions, compiledConditions(webhook), field);
}

const compiledConditions = cacheByObject((webhook: JsonObject): readonly Compiled[] => {
  const environment = kubernetesEnvironment({ authorizer: true });
  return conditionsOf(webhook.matchConditions).map(({ expression }) =>
    tryCompile(typeof expression === 'string' ? expression : '', environment, BOOL),
  );
});

function conditionsOf(value: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(value) ? value : []).filter(isJsonObject);
}
