import { isJsonObject } from '../../json/json.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { specOf } from '../model/backend.ts';
import { isBuiltinGroup } from '../model/builtin.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Request } from '../model/request.ts';
import { resourceMatches, ruleFor } from '../model/request-match.ts';
import { requestsOf, resourceText } from '../model/requests.ts';
import { shortList, stringsOf } from '../model/text.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const uncheckedIgnore: Rule = {
  id: 'unchecked-ignore',
  category: 'availability',
  severity: 'info',
  title: 'A mutating webhook fails open, and nothing validates the result',
  why: `With \`failurePolicy: Ignore\`, objects are stored unchanged while the webhook is down, and nobody notices. That is fine for
conveniences. If the mutation matters (a security context, a sidecar that encrypts), a policy or a validating webhook has to check the final
object.`,
  practice: goodPractice('validate-mutations'),
  fix: 'Add a ValidatingAdmissionPolicy or a validating webhook for the same resources. (Podgraft: `podgraft manifests --validate`.)',
  *check(inventory) {
    const validators = ['ValidatingWebhookConfiguration', 'ValidatingAdmissionPolicy'];
    if (inventory.isLive && !validators.every(inventory.isComplete)) return;
    for (const webhook of inventory.webhooks) {
      if (!webhook.isMutating || failsClosed(webhook)) continue;
      const requests = requestsOf([webhook]).filter(
        ({ group, operation }) => isBuiltinGroup(group) && operation !== 'DELETE',
      );
      const unchecked = requests.filter((request) => !isValidated(inventory, request));
      if (unchecked.length === 0) continue;
      const resources = shortList(unchecked.map(resourceText));
      yield {
        source: webhook.source,
        path: `${webhook.path}/failurePolicy`,
        message: `${describe(webhook)} fails open, and no policy or validating webhook checks ${resources}`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Ignore
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Ignore
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: non-root}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
    - expression: object.spec.?securityContext.?runAsNonRoot.orValue(false)
`,
  ],
};

function isValidated(inventory: Inventory, request: Request): boolean {
  if (inventory.webhooks.some((webhook) => !webhook.isMutating && ruleFor(webhook, request))) return true;
  return inventory.list('ValidatingAdmissionPolicy').some((policy) => {
    const { resourceRules } = membersOf(specOf(policy).matchConstraints);
    return itemsOf(resourceRules)
      .filter(isJsonObject)
      .some((rule) => {
        const includes = (values: string[], value: string) => values.includes(value) || values.includes('*');
        return (
          includes(stringsOf(rule.apiGroups), request.group) &&
          includes(stringsOf(rule.operations), request.operation) &&
          stringsOf(rule.resources).some((pattern) => resourceMatches(pattern, request.resource))
        );
      });
  });
}
