import { grantsOf, isAdministrator, isCrowd, subjectText, writesTo } from '../model/grants.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

const GROUP = 'admissionregistration.k8s.io';
const RESOURCES = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

export const configurationWriters: Rule = {
  id: 'configuration-writers',
  category: 'access',
  severity: 'error',
  title: 'Non-administrators may write webhook configurations',
  why: `Anyone who may write a webhook configuration can send every object of the cluster, Secrets included, to their own server, and
change it on the way: that is as good as being an administrator. Deleting one removes a control.`,
  practice: goodPractice('limit-edit-access'),
  fix: 'Grant these verbs to administrators only. A controller that maintains its own configuration needs `resourceNames`.',
  *check(inventory) {
    const reported = new Set<string>();
    for (const grant of grantsOf(inventory)) {
      if (grant.namespace !== undefined || isAdministrator(grant.subject) || grant.names.length > 0) continue;
      const [resource] = RESOURCES.filter((each) => writesTo(grant, GROUP, each).length > 0);
      const key = `${titleOf(grant.binding)} ${subjectText(grant.subject)}`;
      if (resource === undefined || reported.has(key)) continue;
      reported.add(key);
      const verbs = writesTo(grant, GROUP, resource).join(', ');
      yield {
        source: grant.binding,
        path: '/subjects',
        message: `${subjectText(grant.subject)} may ${verbs} all ${resource} by ClusterRole "${grant.role}"`,
        severity: isCrowd(grant.subject) ? 'error' : 'warning',
      };
    }
  },
  bad: [
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator}
rules:
  - apiGroups: [admissionregistration.k8s.io]
    resources: [mutatingwebhookconfigurations]
    verbs: [get, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
subjects: [{kind: ServiceAccount, namespace: example, name: operator}]
`,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: system:authenticated}]
`,
  ],
  good: [
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator}
rules:
  - apiGroups: [admissionregistration.k8s.io]
    resources: [mutatingwebhookconfigurations]
    resourceNames: [example]
    verbs: [get, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
subjects: [{kind: ServiceAccount, namespace: example, name: operator}]
`,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: admins}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: system:masters}]
`,
  ],
};
