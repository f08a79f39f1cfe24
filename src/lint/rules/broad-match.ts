import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const broadMatch: Rule = {
  id: 'broad-match',
  category: 'latency',
  severity: 'warning',
  title: 'A rule matches every resource, and no match condition narrows it',
  why: `Everything that the control plane writes goes through this webhook: events, leases, endpoints, status. That is thousands of calls
per minute on a busy cluster, almost all of them for nothing.`,
  practice: goodPractice('filter-match-conditions'),
  fix: 'List the resources that the webhook is for, or add `matchConditions` that rule out what it never changes.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      if (webhook.matchConditions.length > 0 || webhook.objectSelector.length > 0) continue;
      for (const { path, groups, resources } of webhook.rules) {
        if (!groups.includes('*') || !resources.some((resource) => /^\*(\/\*)?$/.test(resource))) continue;
        const message = `${describe(webhook)} is called for every resource of every group`;
        yield { source: webhook.source, path: `${path}/resources`, message };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
    matchConditions:
      - name: not-from-nodes
        expression: "!('system:nodes' in request.userInfo.groups)"
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: workloads.example.com
    rules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
`,
  ],
};
