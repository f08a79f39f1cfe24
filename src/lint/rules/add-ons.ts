import { ruleFor } from '../model/request-match.ts';
import { shortList } from '../model/text.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

/** Well-known add-ons that every Pod needs, by the labels of their Pods. */
const ADD_ONS: readonly {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { [key: string]: string };
}[] = [
  { name: 'cluster DNS', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  { name: 'kube-proxy', namespace: 'kube-system', labels: { 'k8s-app': 'kube-proxy' } },
  { name: 'Calico', namespace: 'kube-system', labels: { 'k8s-app': 'calico-node' } },
  { name: 'Calico', namespace: 'calico-system', labels: { 'k8s-app': 'calico-node' } },
  { name: 'Cilium', namespace: 'kube-system', labels: { 'k8s-app': 'cilium' } },
  { name: 'Flannel', namespace: 'kube-flannel', labels: { app: 'flannel' } },
  { name: 'the VPC network of AWS', namespace: 'kube-system', labels: { 'k8s-app': 'aws-node' } },
];

export const addOns: Rule = {
  id: 'add-ons',
  category: 'deadlock',
  severity: 'error',
  title: 'The webhook intercepts network or DNS add-ons, and fails closed',
  why: `Without network and DNS, the API server cannot reach the webhook. If its Pods and those of the add-on are lost together, the add-on
waits for the webhook and the webhook for the add-on. A new node cannot even start its network.`,
  practice: goodPractice('avoid-dependency-loops'),
  fix: 'Exclude `kube-system` and the namespaces of network and storage add-ons with a `namespaceSelector`.',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      if (!failsClosed(webhook)) continue;
      const hits = ADD_ONS.flatMap(({ name, namespace, labels }) => {
        const pod = { group: '', resource: 'pods', operation: 'CREATE', labels } as const;
        const rule = ruleFor(webhook, { ...pod, namespace: inventory.namespace(namespace) });
        // Guessing at namespaces that a cluster may not have would be noise.
        const isThere = namespace === 'kube-system' || inventory.find('Namespace', undefined, namespace);
        return rule === undefined || !isThere ? [] : { name, rule };
      });
      const [first] = hits;
      if (first === undefined) continue;
      yield {
        source: webhook.source,
        path: first.rule.path,
        message: `${describe(webhook)} fails closed on Pods of add-ons that it needs itself: ${shortList(
          hits.map(({ name }) => name),
          3,
        )}`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Fail
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
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Ignore
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};
