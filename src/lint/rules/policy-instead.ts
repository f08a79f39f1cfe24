import { backendsOf } from '../model/backend.ts';
import { grantsOf } from '../model/grants.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const policyInstead: Rule = {
  id: 'policy-instead',
  category: 'mechanism',
  severity: 'info',
  title: 'A validating webhook that reads nothing else could be a policy',
  why: `The server's ServiceAccount may read nothing in the cluster, so it decides by the object alone. A ValidatingAdmissionPolicy can do
that in CEL, inside the API server: faster, always available, without certificates, and nothing to deploy.`,
  practice: goodPractice('choose-admission-mechanism'),
  fix: 'Write the checks as a ValidatingAdmissionPolicy with a binding. Keep the webhook if it calls something outside of the cluster.',
  *check(inventory) {
    const grants = grantsOf(inventory);
    for (const { workloads, webhooks, ref } of backendsOf(inventory)) {
      // A server that also mutates may check its own work, and without RBAC objects its reads are unknown.
      if (workloads.length === 0 || webhooks.some(({ isMutating }) => isMutating)) continue;
      const isKnown = inventory.isLive
        ? ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].every(inventory.isComplete)
        : inventory.list('ServiceAccount', ref.namespace).length > 0;
      if (!isKnown) continue;
      const accounts = new Set(workloads.map(({ serviceAccount }) => serviceAccount));
      const reads = grants.some(
        ({ subject, resources }) =>
          subject.kind === 'ServiceAccount' &&
          subject.namespace === ref.namespace &&
          accounts.has(subject.name) &&
          resources.some((resource) => !OWN_AFFAIRS.includes(resource)),
      );
      if (reads) continue;
      for (const webhook of webhooks) {
        const message = `${describe(webhook)} decides by the object alone, as a ValidatingAdmissionPolicy can`;
        yield { source: webhook.source, path: webhook.path, message };
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE.replace('Mutating', 'Validating')}apiVersion: v1
kind: ServiceAccount
metadata: {namespace: example, name: webhook}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec: {serviceAccountName: webhook, containers: [{name: webhook}]}
`,
  ],
  good: [
    `${WEBHOOK_AND_SERVICE.replace('Mutating', 'Validating')}apiVersion: v1
kind: ServiceAccount
metadata: {namespace: example, name: webhook}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec: {serviceAccountName: webhook, containers: [{name: webhook}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: webhook}
rules: [{apiGroups: [""], resources: [services], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: webhook}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: webhook}
subjects: [{kind: ServiceAccount, namespace: example, name: webhook}]
`,
  ],
};

/** What a server needs to run: its certificate, its own registration, and the election of a leader. */
const OWN_AFFAIRS = [
  'secrets',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'leases',
  'events',
];
