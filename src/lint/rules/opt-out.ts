import { sameJson } from '../../json/same-json.ts';
import type { Request } from '../model/request.ts';
import { ruleFor } from '../model/request-match.ts';
import { resourceText } from '../model/requests.ts';
import { describe, type Webhook } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

const WORKLOADS: readonly Request[] = [
  { group: '', resource: 'pods', operation: 'CREATE' },
  { group: 'apps', resource: 'deployments', operation: 'CREATE' },
  { group: 'apps', resource: 'statefulsets', operation: 'CREATE' },
  { group: 'apps', resource: 'daemonsets', operation: 'CREATE' },
  { group: 'batch', resource: 'jobs', operation: 'CREATE' },
];

export const optOut: Rule = {
  id: 'opt-out',
  category: 'correctness',
  severity: 'warning',
  title: 'Users can avoid a validating webhook by a label',
  why: `An \`objectSelector\` depends on labels that the author of an object chooses. A control that protects the cluster can thus be
bypassed: an object with (or without) the label is not checked. Labels of namespaces are safer, since few users may change them.`,
  practice: webhookReference('matching-requests-objectselector'),
  fix: 'Use a `namespaceSelector`, or match conditions on who makes the request. If the webhook is not a control, ignore this rule with a reason.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const { source, path, objectSelector, isMutating } = webhook;
      const [first] = objectSelector;
      const covered = WORKLOADS.find((request) => ruleFor(webhook, request) !== undefined);
      if (isMutating || first === undefined || covered === undefined) continue;
      if (webhooks.some((other) => isCheckedBy(other, webhook))) continue;
      const negative = objectSelector.find(
        ({ operator }) => operator === 'NotIn' || operator === 'DoesNotExist',
      );
      const how = negative ? `with the label "${negative.key}"` : `without the label "${first.key}"`;
      yield {
        source,
        path: `${path}/objectSelector`,
        message: `${describe(webhook)} does not check ${resourceText(covered)} ${how}, which their authors choose`,
        severity: negative ? 'warning' : 'info',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: security.example.com
    objectSelector: {matchExpressions: [{key: example.com/skip, operator: DoesNotExist}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: security.example.com
    namespaceSelector: {matchExpressions: [{key: example.com/skip, operator: DoesNotExist}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# For a mutating webhook it is a convenience.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: sidecar.example.com
    objectSelector: {matchExpressions: [{key: example.com/skip, operator: DoesNotExist}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};

/** Whether a mutating webhook of the same server has the same selector: the validating one checks its result. */
function isCheckedBy(mutating: Webhook, { service, spec }: Webhook): boolean {
  return (
    mutating.isMutating &&
    service !== undefined &&
    mutating.service?.name === service.name &&
    mutating.service.namespace === service.namespace &&
    sameJson(mutating.spec.objectSelector ?? null, spec.objectSelector ?? null)
  );
}
