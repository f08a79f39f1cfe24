import { backendsOf, specOf } from '../model/backend.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { readSelector, selects } from '../model/selector.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const disruptionBudget: Rule = {
  id: 'disruption-budget',
  category: 'availability',
  severity: 'warning',
  title: 'No PodDisruptionBudget protects the Pods of the webhook',
  why: `Draining nodes, as every upgrade of a cluster does, may evict all replicas at once. The webhook is then down while Pods
are created all over the cluster, which is when it is needed most.`,
  practice: goodPractice('ha-deployment'),
  fix: 'Add a PodDisruptionBudget with `maxUnavailable: 1` that selects the Pods.',
  *check(inventory) {
    if (inventory.isLive && !inventory.isComplete('PodDisruptionBudget')) return;
    for (const { workloads } of backendsOf(inventory)) {
      for (const { source, labels } of workloads) {
        const { kind, metadata } = source.object;
        if (kind === 'DaemonSet') continue;
        const budgets = inventory.list('PodDisruptionBudget', metadata.namespace ?? 'default');
        if (budgets.some((budget) => selects(readSelector(specOf(budget).selector), labels))) continue;
        yield {
          source,
          path: '',
          message: `${titleOf(source)} serves a webhook, and no PodDisruptionBudget selects its Pods`,
        };
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
  ],
  good: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {namespace: example, name: webhook}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: webhook}}}
`,
  ],
};
