import type { Backend } from '../model/backend.ts';
import { cycles, dependencies } from '../model/dependencies.ts';
import type { Webhook } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const webhookCycle: Rule = {
  id: 'webhook-cycle',
  category: 'deadlock',
  severity: 'error',
  title: 'Servers of webhooks wait for each other to start',
  why: `Each of these webhooks fails closed on the Pods of the next server. While one of them runs, all is well. If they go down
together, as they do when a cluster restarts, none of them can start again.`,
  practice: goodPractice('avoid-dependency-loops'),
  fix: 'Break the cycle: exclude the namespaces of other webhooks in at least one of them, or let it fail open.',
  *check(inventory) {
    const graph = dependencies(inventory);
    for (const cycle of cycles(graph)) {
      const links = cycle.map((server, index) => {
        const next = cycle[(index + 1) % cycle.length] as Backend;
        return { server, next, webhook: graph.get(server)?.get(next) as Webhook };
      });
      const [{ webhook } = { webhook: undefined }] = links;
      if (webhook === undefined) continue;
      const names = [...cycle, ...cycle.slice(0, 1)].map(nameOf).join(' → ');
      yield {
        source: webhook.source,
        path: webhook.path,
        message: `${cycle.length} servers need each other to start: ${names}`,
        drawing: draw(links),
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mesh}
webhooks:
  - name: inject.mesh.example.com
    failurePolicy: Fail
    clientConfig: {service: {namespace: mesh, name: injector}}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [mesh]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy}
webhooks:
  - name: validate.policy.example.com
    failurePolicy: Fail
    clientConfig: {service: {namespace: policy, name: checker}}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [policy]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mesh}
webhooks:
  - name: inject.mesh.example.com
    failurePolicy: Fail
    clientConfig: {service: {namespace: mesh, name: injector}}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [mesh, policy]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy}
webhooks:
  - name: validate.policy.example.com
    failurePolicy: Fail
    clientConfig: {service: {namespace: policy, name: checker}}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [policy]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};

interface Link {
  readonly server: Backend;
  readonly next: Backend;
  readonly webhook: Webhook;
}

/** ```
 * mesh/injector
 *   │ its Pods need webhook "validate.policy.example.com"
 *   ▼
 * policy/checker
 *   │ its Pods need webhook "inject.mesh.example.com"
 *   └▶ mesh/injector
 * ``` */
function draw(links: readonly Link[]): string[] {
  return links.flatMap(({ server, next, webhook }, index) => {
    const isLast = index === links.length - 1;
    return [
      nameOf(server),
      `  │ its Pods need webhook "${webhook.name}"`,
      isLast ? `  └▶ ${nameOf(next)}` : '  ▼',
    ];
  });
}

function nameOf({ ref }: Backend): string {
  return `${ref.namespace}/${ref.name}`;
}
