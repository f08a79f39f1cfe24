import { isBuiltinGroup } from '../model/builtin.ts';
import { describe, failsClosed, type Webhook, type WebhookRule } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const subresources: Rule = {
  id: 'subresources',
  category: 'scope',
  severity: 'warning',
  title: 'A rule matches status updates, or connections such as kubectl exec, by accident',
  why: `\`pods/*\` and \`*/*\` include every subresource. Kubelets and controllers write \`status\` all the time, above all when something
breaks; with CONNECT, the webhook also decides about \`kubectl exec\`, \`attach\` and \`port-forward\`, whose object is not a Pod.`,
  practice: goodPractice('ha-deployment'),
  fix: 'List the subresources that are meant, such as `pods/ephemeralcontainers`. Leave `status` to those who write it.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      for (const rule of webhook.rules) {
        const problem = problemOf(rule);
        if (problem === undefined) continue;
        yield {
          source: webhook.source,
          path: `${rule.path}/resources`,
          message: `${describe(webhook)} ${problem}`,
          // The status of its own custom resources is its own business.
          severity: rule.groups.some(isBuiltinGroup) && isRisky(webhook) ? 'warning' : 'info',
        };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods/*]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: status.example.com
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: ["*/status"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods, pods/ephemeralcontainers]}]
`,
    `# Asked for by name, so meant.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: exec.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CONNECT], resources: [pods/exec]}]
`,
    `# The status of its own custom resources is its own business.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: widgets.example.com
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [UPDATE], resources: [widgets/status]}]
`,
  ],
};

function isRisky(webhook: Webhook): boolean {
  return failsClosed(webhook) || webhook.isMutating;
}

function problemOf({ groups, resources, operations }: WebhookRule): string | undefined {
  const wide = resources.find((resource) => resource.endsWith('/*'));
  const isConnected = operations.includes('*') || operations.includes('CONNECT');
  const pods = groups.includes('*') || groups.includes('');
  if (wide !== undefined) {
    const isForPods = pods && (wide === '*/*' || wide === 'pods/*');
    const exec = isConnected && isForPods ? ', and exec, attach and port-forward' : '';
    return `matches status updates by "${wide}"${exec}`;
  }
  const status = resources.find((resource) => resource === '*/status');
  return status === undefined ? undefined : 'matches every status update ("*/status")';
}
