import { addCondition } from '../model/add-condition.ts';
import { ruleFor } from '../model/request-match.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const nodeLeases: Rule = {
  id: 'node-leases',
  category: 'scope',
  severity: 'error',
  title: 'The webhook intercepts the heartbeats of nodes',
  why: `Every node renews a Lease in \`kube-node-lease\` every ten seconds. A webhook that delays, changes or rejects them makes nodes
NotReady, and their Pods are evicted. It is also the most frequent write of a cluster.`,
  practice: goodPractice('webhook-limit-scope'),
  fix: 'Do not match `leases.coordination.k8s.io`, or exclude them with a match condition. `--fix` adds one to mutating webhooks.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const namespace = inventory.namespace('kube-node-lease');
      const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace, labels: {}, user: NODE };
      const rule =
        ruleFor(webhook, { ...lease, operation: 'UPDATE' }) ??
        ruleFor(webhook, { ...lease, operation: 'CREATE' });
      if (rule === undefined) continue;
      const condition =
        "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')";
      yield {
        source: webhook.source,
        path: `${rule.path}/resources`,
        message: `${describe(webhook)} is called for every heartbeat of every node (leases in kube-node-lease)`,
        severity: webhook.isMutating || failsClosed(webhook) ? 'error' : 'warning',
        // A validating webhook may be for leases.
        ...(webhook.isMutating && { patch: addCondition(webhook, 'not-leases', condition) }),
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: ["*"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: ["*"]}]
    matchConditions:
      - name: not-leases
        expression: "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')"
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-node-lease]}]
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: ["*"]}]
`,
  ],
};

const NODE = { username: 'system:node:example', groups: ['system:nodes', 'system:authenticated'] };
