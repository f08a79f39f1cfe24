import type { Request } from '../model/request.ts';
import { ruleFor } from '../model/request-match.ts';
import { resourceText } from '../model/requests.ts';
import { shortList } from '../model/text.ts';
import { describe, failsClosed, type Webhook, type WebhookRule } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

const SYSTEM = { name: 'kube-system' };
const NODE = { username: 'system:node:example', groups: ['system:nodes', 'system:authenticated'] };

/** What the control plane must be able to write to keep the cluster alive. */
const CRITICAL: readonly Omit<Request, 'operation'>[] = [
  { group: '', resource: 'nodes', user: NODE },
  { group: '', resource: 'nodes/status', user: NODE },
  { group: 'coordination.k8s.io', resource: 'leases', namespace: SYSTEM },
  {
    group: 'coordination.k8s.io',
    resource: 'leases',
    namespace: { name: 'kube-node-lease', labels: {} },
    user: NODE,
  },
  { group: '', resource: 'endpoints', namespace: SYSTEM },
  { group: 'discovery.k8s.io', resource: 'endpointslices', namespace: SYSTEM },
  { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' },
  { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { group: 'apiregistration.k8s.io', resource: 'apiservices' },
  { group: 'authentication.k8s.io', resource: 'tokenreviews' },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
];

export const criticalResources: Rule = {
  id: 'critical-resources',
  category: 'availability',
  severity: 'error',
  title: 'The control plane cannot write what it needs while the webhook is unreachable',
  why: `Nodes renew leases and report their status, controllers elect leaders by leases, Services find Pods by endpoints, new nodes join by
certificate requests. If one of these is rejected because a webhook is down, nodes become NotReady, and the webhook's own Pods cannot be
replaced: the outage feeds itself.`,
  practice: goodPractice('ha-deployment'),
  fix: 'Leave these resources out of `rules`, or exclude them with `matchConditions`. If they must be checked, use a ValidatingAdmissionPolicy, which needs no server.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      if (!failsClosed(webhook)) continue;
      const hits = CRITICAL.flatMap((request) => {
        const rule = ruleOf(webhook, request);
        return rule === undefined ? [] : { request, rule };
      });
      const [first] = hits;
      if (first === undefined) continue;
      const resources = shortList(
        hits.map(({ request }) => resourceText(request)),
        6,
      );
      yield {
        source: webhook.source,
        path: `${first.rule.path}/resources`,
        message: `${describe(webhook)} fails closed on ${resources}`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: nodes.example.com
    failurePolicy: Fail
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes, nodes/status]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: nodes.example.com
    failurePolicy: Ignore
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: workloads.example.com
    failurePolicy: Fail
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: ["*"]}]
`,
    `# Only objects with a label, which none of these have.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: labelled.example.com
    failurePolicy: Fail
    objectSelector: {matchLabels: {example.com/checked: "true"}}
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [UPDATE], resources: ["*"]}]
`,
  ],
};

/** These objects have no labels that a selector requires. */
function ruleOf(webhook: Webhook, request: Omit<Request, 'operation'>): WebhookRule | undefined {
  return (
    ruleFor(webhook, { ...request, operation: 'CREATE', labels: {} }) ??
    ruleFor(webhook, { ...request, operation: 'UPDATE', labels: {} })
  );
}
