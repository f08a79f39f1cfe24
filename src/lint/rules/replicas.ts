import { membersOf } from '../../kube/json-parts.ts';
import { backendsOf, specOf } from '../model/backend.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const replicas: Rule = {
  id: 'replicas',
  category: 'availability',
  severity: 'warning',
  title: 'One replica serves the webhook',
  why: `With a single Pod, every upgrade, eviction and node failure is an outage of the webhook: requests are rejected or, with
\`failurePolicy: Ignore\`, silently not changed.`,
  practice: goodPractice('load-balancer-webhook'),
  fix: 'Run at least two replicas, on different nodes.',
  *check(inventory) {
    for (const { workloads, webhooks } of backendsOf(inventory)) {
      for (const { source } of workloads) {
        const { kind, metadata } = source.object;
        if (kind === 'DaemonSet') continue;
        const scaler = inventory
          .list('HorizontalPodAutoscaler', metadata.namespace ?? 'default')
          .find((each) => {
            const { scaleTargetRef } = specOf(each);
            return (
              membersOf(scaleTargetRef).kind === kind && membersOf(scaleTargetRef).name === metadata.name
            );
          });
        const count = scaler ? (specOf(scaler).minReplicas ?? 1) : (specOf(source).replicas ?? 1);
        if (typeof count !== 'number' || count > 1) continue;
        const name = webhooks[0]?.name ?? '';
        yield {
          source,
          path: '/spec/replicas',
          message: `${titleOf(source)} has ${count === 0 ? 'no' : 'one'} replica and serves webhook "${name}"`,
        };
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 1
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
`,
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {namespace: example, name: webhook}
spec: {minReplicas: 2, scaleTargetRef: {kind: Deployment, name: webhook}}
`,
  ],
};
