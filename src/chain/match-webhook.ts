import { type Attributes, describeRequest } from '../policy/attributes.ts';
import type { PolicyInputs } from '../policy/inputs.ts';
import { matchRules, type RuleMatch } from '../policy/match-rules.ts';
import { matchesNamespaceSelector, matchesObjectSelector } from '../policy/match-selectors.ts';
import type { Skipped } from '../policy/policy-trace.ts';
import { forbidden, notFound, type Status } from '../policy/status.ts';
import { evaluateWebhookConditions } from './evaluate-condition.ts';
import type { Webhook } from './webhook.ts';

export type WebhookMatch = RuleMatch | Skipped | { readonly status: Status };

/** Whether a webhook applies, by the API server's order of checks. `request` has the object as mutated so far. */
export function matchWebhook(
  webhook: Webhook,
  request: Attributes,
  { cluster, authorize }: PolicyInputs,
): WebhookMatch {
  if (isExempt(request))
    return skipped('exempt', 'webhooks are not called for their own configurations and for policies');
  const inNamespace = matchesNamespaceSelector(webhook.namespaceSelector, request, cluster.namespaceLabels);
  if (inNamespace === false) {
    return skipped('namespaceSelector', `the labels of namespace "${request.namespace}" do not match`);
  }
  if (!matchesObjectSelector(webhook.objectSelector, request.object, request.oldObject)) {
    return skipped('objectSelector', "the object's labels do not match");
  }
  const match = matchRules(webhook.rules, request, webhook.matchPolicy, cluster.versions);
  if (match === undefined) {
    return skipped('rules', `no rule covers ${request.operation} of ${describeRequest(request)}`);
  }
  // A missing namespace matters only if the webhook would be called.
  if (inNamespace !== true) return { status: notFound('namespaces', '', inNamespace.missing) };
  if (webhook.matchConditions.length === 0) return match;
  const result = evaluateWebhookConditions(webhook, request, match, authorize);
  if (result === true) return match;
  if ('unmet' in result) {
    return skipped('matchConditions', `condition "${webhook.matchConditions[result.unmet]?.name}" is false`);
  }
  if (webhook.failurePolicy === 'Fail') return { status: forbidden(request, result.error) };
  return skipped('matchConditions failed', result.error);
}

function skipped(because: Skipped['because'], detail: string): Skipped {
  return { outcome: 'skipped', because, detail };
}

const EXEMPT = new Set(
  ['Validating', 'Mutating'].flatMap((type) =>
    ['WebhookConfiguration', 'AdmissionPolicy', 'AdmissionPolicyBinding'].map((kind) => type + kind),
  ),
);

function isExempt({ kind }: Attributes): boolean {
  return kind.group === 'admissionregistration.k8s.io' && EXEMPT.has(kind.kind);
}
