import { addCondition } from '../model/add-condition.ts';
import { ruleFor } from '../model/request-match.ts';
import { needsLabel } from '../model/selector.ts';
import { describe, type Webhook } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

const MIRROR = 'kubernetes.io/config.mirror';

export const mirrorPods: Rule = {
  id: 'mirror-pods',
  category: 'scope',
  severity: 'info',
  title: 'A mutating webhook is called for mirror Pods',
  why: `For each static Pod, such as those of the control plane, the kubelet creates a mirror Pod in \`kube-system\`. Changing it does not
change the static Pod; it only makes the API show a Pod that does not exist.`,
  practice: goodPractice('dont-change-immutable-objects'),
  fix: `Exclude \`kube-system\`, or Pods with the annotation \`${MIRROR}\` with a match condition. \`--fix\` adds it.`,
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      if (!webhook.isMutating || needsLabel(webhook.objectSelector) || isAware(webhook)) continue;
      const namespace = inventory.namespace('kube-system');
      const rule = ruleFor(webhook, {
        group: '',
        resource: 'pods',
        operation: 'CREATE',
        namespace,
        labels: {},
      });
      if (rule === undefined) continue;
      const message = `${describe(webhook)} is called for mirror Pods in kube-system`;
      const condition = `!has(object.metadata) || !has(object.metadata.annotations) || !('${MIRROR}' in object.metadata.annotations)`;
      // On DELETE and CONNECT, \`object\` is null or not a Pod.
      const isSafe = webhook.rules.every(({ operations, resources }) =>
        [...operations, ...resources].every((each) => ['CREATE', 'UPDATE', 'pods'].includes(each)),
      );
      const patch = isSafe ? { patch: addCondition(webhook, 'not-mirror-pods', condition) } : {};
      yield { source: webhook.source, path: `${rule.path}/resources`, message, ...patch };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
    matchConditions:
      - name: not-mirror-pods
        expression: "!has(object.metadata.annotations) || !('${MIRROR}' in object.metadata.annotations)"
`,
  ],
};

function isAware({ matchConditions }: Webhook): boolean {
  return matchConditions.some(({ expression }) => expression.includes(MIRROR));
}
