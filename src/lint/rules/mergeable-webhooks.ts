import { sameJson } from '../../json/same-json.ts';
import { isSatisfiable } from '../model/selector.ts';
import { shortList } from '../model/text.ts';
import type { Webhook } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const mergeableWebhooks: Rule = {
  id: 'mergeable-webhooks',
  category: 'latency',
  severity: 'warning',
  title: 'Several webhooks of one server have the same rules and could be one call',
  why: `Mutating webhooks are called one after another, so each adds a round trip to every request. A server that is called twice for
the same object can do both in one call, and no longer depends on the order of its own webhooks.`,
  practice: goodPractice('design-admission-webhooks-low-latency'),
  fix: 'Handle both tasks behind one path and keep one webhook.',
  *check({ webhooks }) {
    const done = new Set<Webhook>();
    for (const webhook of webhooks) {
      if (done.has(webhook)) continue;
      const same = webhooks.filter((other) => isSameCall(webhook, other));
      for (const each of same) done.add(each);
      if (same.length < 2) continue;
      const kind = webhook.isMutating ? 'mutating' : 'validating';
      const names = shortList(same.map(({ name }) => name));
      yield {
        source: webhook.source,
        path: webhook.path,
        // Validating webhooks are called in parallel.
        severity: webhook.isMutating ? 'warning' : 'info',
        message: `${same.length} ${kind} webhooks of one server have the same rules: ${names}`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: labels.example.com
    clientConfig: {service: {namespace: example, name: webhook, path: /labels}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: sidecar.example.com
    clientConfig: {service: {namespace: example, name: webhook, path: /sidecar}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {service: {namespace: example, name: webhook, path: /mutate}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# Selectors that exclude each other: only one of them is called.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: namespace.example.com
    clientConfig: {service: {namespace: example, name: webhook, path: /inject}}
    namespaceSelector: {matchLabels: {inject: enabled}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: object.example.com
    clientConfig: {service: {namespace: example, name: webhook, path: /inject}}
    namespaceSelector: {matchExpressions: [{key: inject, operator: DoesNotExist}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};

function isSameCall(one: Webhook, other: Webhook): boolean {
  return (
    one.isMutating === other.isMutating &&
    serverOf(one) !== '' &&
    serverOf(one) === serverOf(other) &&
    sameJson(one.spec.rules ?? null, other.spec.rules ?? null) &&
    isSatisfiable([...one.namespaceSelector, ...other.namespaceSelector]) &&
    isSatisfiable([...one.objectSelector, ...other.objectSelector])
  );
}

function serverOf({ service, url }: Webhook): string {
  if (service !== undefined) return `${service.namespace}/${service.name}:${service.port}`;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '';
}
