import { builtinResource, isBuiltinGroup } from '../model/builtin.ts';
import { ruleFor } from '../model/request-match.ts';
import { requestsOf, resourceText } from '../model/requests.ts';
import { needsLabel } from '../model/selector.ts';
import { shortList } from '../model/text.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const kubeSystem: Rule = {
  id: 'kube-system',
  category: 'scope',
  severity: 'warning',
  title: 'The webhook matches objects in kube-system',
  why: `The cluster's own components live in \`kube-system\`. They are installed and upgraded by people who do not know this webhook,
and a change or a rejection there can take the whole cluster down.`,
  practice: goodPractice('webhook-limit-scope'),
  fix: 'Exclude `kube-system` with a `namespaceSelector` on `kubernetes.io/metadata.name`; if your own Pods run there, use an `objectSelector`.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      // System objects do not have labels that users chose.
      if (needsLabel(webhook.objectSelector)) continue;
      const hits = requestsOf([webhook]).filter(({ group, resource, operation }) => {
        const known = builtinResource(group, resource.split('/')[0] ?? '');
        if (!isBuiltinGroup(group) || known?.namespaced === false) return false;
        const namespace = inventory.namespace('kube-system');
        return ruleFor(webhook, { group, resource, operation, namespace, labels: {} }) !== undefined;
      });
      if (hits.length === 0) continue;
      const verb = failsClosed(webhook) ? 'fails closed on' : 'is called for';
      yield {
        source: webhook.source,
        path:
          webhook.spec.namespaceSelector === undefined ? webhook.path : `${webhook.path}/namespaceSelector`,
        message: `${describe(webhook)} ${verb} ${shortList(hits.map(resourceText), 3)} in kube-system`,
        severity: failsClosed(webhook) ? 'warning' : 'info',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: deployments.example.com
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: deployments.example.com
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kube-node-lease]}]
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
`,
    `# Custom resources are not the system's.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: widgets.example.com
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets]}]
`,
  ],
};
