import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson, labelsOf } from '../../kube/kube-object.ts';
import { type Backend, backendsOf, specOf, targetPort, workloadsIn } from '../model/backend.ts';
import type { Inventory } from '../model/inventory.ts';
import { shortList } from '../model/text.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const serviceReachable: Rule = {
  id: 'service-reachable',
  category: 'availability',
  severity: 'error',
  title: 'The Service of the webhook does not exist, lacks the port, or has no Pods',
  why: `Every call fails at once: with \`failurePolicy: Fail\` all matching requests are rejected, with \`Ignore\` the webhook never does
anything. A typing error in a name or port is enough.`,
  practice: webhookReference('service-reference'),
  fix: 'Correct `clientConfig.service`, or the selector and ports of the Service.',
  *check(inventory) {
    for (const backend of backendsOf(inventory)) {
      for (const webhook of backend.webhooks) {
        const problem = problemOf(inventory, { ...backend, ref: webhook.service ?? backend.ref });
        if (problem === undefined) continue;
        const [field, message] = problem;
        const path = `${webhook.path}/clientConfig/service${field}`;
        yield { source: webhook.source, path, message: `${describe(webhook)}: ${message}` };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook, port: 8443}}
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec:
  selector: {app: webhook}
  ports: [{port: 443, targetPort: 8443}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhok}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443}]}
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook-v2}}, spec: {containers: [{name: webhook}]}}
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443}]}
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec:
  selector: {app: webhook}
  ports: [{port: 443, targetPort: 8443}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
    `# Without the objects around it, nothing can be said.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
`,
  ],
};

function problemOf(inventory: Inventory, { ref, service, workloads }: Backend): [string, string] | undefined {
  const name = `Service "${ref.namespace}/${ref.name}"`;
  if (service === undefined) {
    // Without any Service of the namespace in the files, nothing is known about this one.
    const isKnown = inventory.isLive
      ? inventory.isComplete('Service')
      : inventory.list('Service', ref.namespace).length > 0;
    return isKnown ? ['/name', `${name} does not exist`] : undefined;
  }
  const { selector, type, ports } = specOf(service);
  if (targetPort(service, ref.port) === undefined) {
    const open = shortList(itemsOf(ports).map((port) => String(membersOf(port).port)));
    return ['/port', `${name} does not have port ${ref.port}, only ${open === '' ? 'none' : open}`];
  }
  // Its endpoints are managed by hand.
  if (type === 'ExternalName' || Object.keys(membersOf(selector)).length === 0) return undefined;
  if (inventory.isLive) {
    if (!inventory.isComplete('EndpointSlice') || hasReadyEndpoints(inventory, ref)) return undefined;
    return ['/name', `${name} has no ready endpoints`];
  }
  if (workloads.length > 0 || workloadsIn(inventory, ref.namespace).length === 0) return undefined;
  return ['/name', `${name} selects no Pods: none of the workloads in "${ref.namespace}" has its labels`];
}

function hasReadyEndpoints(inventory: Inventory, { namespace, name }: Backend['ref']): boolean {
  const slices = inventory
    .list('EndpointSlice', namespace)
    .filter(({ object }) => labelsOf(object)['kubernetes.io/service-name'] === name);
  return slices.some(({ object }) =>
    itemsOf(asJson(object).endpoints).some((endpoint) => {
      const { ready } = membersOf(membersOf(endpoint).conditions);
      return ready !== false;
    }),
  );
}
