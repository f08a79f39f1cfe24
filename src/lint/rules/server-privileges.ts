import { backendsOf } from '../model/backend.ts';
import { grantsOf } from '../model/grants.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const serverPrivileges: Rule = {
  id: 'server-privileges',
  category: 'access',
  severity: 'warning',
  title: 'The server of the webhook may do everything in the cluster',
  why: `A webhook parses whatever anybody sends to the API server. If a flaw lets one of these objects take the server over, the attacker has
its rights. A webhook needs to read a few kinds, and rarely to write anything.`,
  practice: goodPractice('limit-edit-access'),
  fix: 'Bind the ServiceAccount to a role with exactly the resources and verbs that the server uses.',
  *check(inventory) {
    for (const { workloads, ref, webhooks } of backendsOf(inventory)) {
      const accounts = new Set(workloads.map(({ serviceAccount }) => serviceAccount));
      const wide = grantsOf(inventory).find(
        ({ subject, namespace, groups, resources, verbs }) =>
          namespace === undefined &&
          subject.kind === 'ServiceAccount' &&
          subject.namespace === ref.namespace &&
          accounts.has(subject.name) &&
          [groups, resources, verbs].every((values) => values.includes('*')),
      );
      if (wide === undefined) continue;
      yield {
        source: wide.binding,
        path: '/roleRef',
        message: `ServiceAccount "${ref.namespace}/${wide.subject.name}" of webhook "${webhooks[0]?.name}" may do everything, by ClusterRole "${wide.role}"`,
      };
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec: {serviceAccountName: webhook, containers: [{name: webhook}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: webhook}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, namespace: example, name: webhook}]
`,
  ],
  good: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
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
rules: [{apiGroups: [""], resources: [namespaces], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: webhook}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: webhook}
subjects: [{kind: ServiceAccount, namespace: example, name: webhook}]
`,
  ],
};
