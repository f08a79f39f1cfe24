import { backendsOf } from '../model/backend.ts';
import { type Grant, grantsOf, isAdministrator, isCrowd, subjectText, writesTo } from '../model/grants.ts';
import { shortList } from '../model/text.ts';
import { goodPractice, type Rule } from '../rule.ts';

/** What decides which code answers for the webhook, and with which key. */
const RESOURCES = [
  ['', 'pods'],
  ['', 'secrets'],
  ['', 'services'],
  ['apps', 'deployments'],
] as const;

export const namespaceWriters: Rule = {
  id: 'namespace-writers',
  category: 'access',
  severity: 'error',
  title: "Non-administrators may write Pods or Secrets in the webhook's namespace",
  why: `Anyone who can create a Pod with the right labels behind the webhook's Service, or read and replace its key, answers in its
place: they can change every object that it is called for.`,
  practice: goodPractice('limit-edit-access'),
  fix: 'Give the webhook its own namespace, and grant write access there to administrators only.',
  *check(inventory) {
    const reported = new Set<string>();
    const servers = backendsOf(inventory);
    for (const { ref, workloads } of servers) {
      const own = new Set(workloads.map(({ serviceAccount }) => serviceAccount));
      for (const grant of grantsOf(inventory)) {
        const { subject, namespace, binding } = grant;
        const isOwn =
          subject.kind === 'ServiceAccount' && subject.namespace === ref.namespace && own.has(subject.name);
        const isHere = namespace === undefined || namespace === ref.namespace;
        const writable = RESOURCES.filter(([group, resource]) => mayReplace(grant, group, resource));
        const key = `${ref.namespace} ${subjectText(subject)}`;
        if (!isHere || isOwn || isAdministrator(subject) || writable.length === 0 || reported.has(key))
          continue;
        reported.add(key);
        const resources = shortList(writable.map(([, resource]) => resource));
        yield {
          source: binding,
          path: '/subjects',
          message: `${subjectText(subject)} may write ${resources} in "${ref.namespace}", the namespace of a webhook`,
          // Operators have such rights in all namespaces, so this is only worth a note.
          severity: isCrowd(subject) ? 'error' : namespace === undefined ? 'info' : 'warning',
        };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: shop, name: webhook}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: shop, name: developers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{kind: Group, name: developers}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: webhook, name: webhook}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: shop, name: developers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{kind: Group, name: developers}]
`,
  ],
};

/** With \`resourceNames\`, only objects that exist; deleting alone does not take anything over. */
function mayReplace(grant: Grant, group: string, resource: string): boolean {
  if (grant.names.length > 0) return false;
  return writesTo(grant, group, resource).some((verb) => ['create', 'update', 'patch'].includes(verb));
}
