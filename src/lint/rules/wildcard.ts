import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const wildcard: Rule = {
  id: 'wildcard',
  category: 'scope',
  severity: 'warning',
  title: 'A rule uses * for groups, resources or operations',
  why: `A wildcard includes what will be added later: custom resources of other teams, new kinds of the next Kubernetes version, DELETE
and CONNECT. A mutating webhook that is called for DELETE can only fail the request: there is no object to change.`,
  practice: goodPractice('webhook-limit-scope'),
  fix: 'List groups, resources and operations. (`*` for `apiVersions` is fine.)',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      for (const { path, groups, resources, operations } of webhook.rules) {
        const wide = [
          ...(groups.includes('*') ? ['apiGroups'] : []),
          ...(resources.some((resource) => resource === '*' || resource === '*/*') ? ['resources'] : []),
          ...(operations.includes('*') ? ['operations'] : []),
        ];
        const [first] = wide;
        if (first === undefined) continue;
        const isForDelete = webhook.isMutating && wide.includes('operations');
        const effect = isForDelete ? ', which includes DELETE and CONNECT' : '';
        yield {
          source: webhook.source,
          path: `${path}/${isForDelete ? 'operations' : first}`,
          message: `${describe(webhook)} has * for ${wide.join(', ')}${effect}`,
          severity: isForDelete ? 'warning' : 'info',
        };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: workloads.example.com
    rules: [{apiGroups: [apps], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: workloads.example.com
    rules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments]}]
`,
  ],
};
