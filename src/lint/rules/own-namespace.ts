import { backendsOf } from '../model/backend.ts';
import { intercepts } from '../model/dependencies.ts';
import { excludeNamespaces } from '../model/exclude-namespaces.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const ownNamespace: Rule = {
  id: 'own-namespace',
  category: 'deadlock',
  severity: 'error',
  title: 'The webhook intercepts the Pods of its own server',
  why: `If all of its Pods are gone, a webhook that fails closed rejects their replacements: it can only start while it is running.
Someone then has to delete the configuration by hand. With \`failurePolicy: Ignore\` it starts, after waiting for its own
timeout.`,
  practice: goodPractice('avoid-self-mutation'),
  fix: 'Exclude the namespace of the server with a `namespaceSelector` on `kubernetes.io/metadata.name`. `--fix` adds it.',
  *check(inventory) {
    for (const backend of backendsOf(inventory)) {
      for (const webhook of backend.webhooks) {
        const request = intercepts(inventory, webhook, backend);
        if (request === undefined) continue;
        const { namespace } = backend.ref;
        const isClosed = failsClosed(webhook);
        const effect = isClosed
          ? 'it cannot start unless it is running'
          : 'it waits for itself when it starts';
        yield {
          source: webhook.source,
          path:
            webhook.spec.namespaceSelector === undefined ? webhook.path : `${webhook.path}/namespaceSelector`,
          message: `${describe(webhook)} matches ${request.resource} in its own namespace "${namespace}": ${effect}`,
          severity: isClosed ? 'error' : 'info',
          patch: excludeNamespaces(webhook, [namespace]),
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
    failurePolicy: Fail
    clientConfig: {service: {namespace: example, name: webhook}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Fail
    clientConfig: {service: {namespace: example, name: webhook}}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [example]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# Its own namespace does not have the label.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
    namespaceSelector: {matchLabels: {example.com/checked: "true"}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# Its own Pods have a label by which they are left out.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook}}
    objectSelector: {matchExpressions: [{key: app, operator: NotIn, values: [webhook]}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
---
apiVersion: v1
kind: Service
metadata: {namespace: example, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
  ],
};
