import type { JsonObject } from '../../json/json.ts';
import { membersOf } from '../../kube/json-parts.ts';
import { backendsOf, specOf } from '../model/backend.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const rolloutSurge: Rule = {
  id: 'rollout-surge',
  category: 'availability',
  severity: 'warning',
  title: 'An update of the Deployment leaves no replica to answer',
  why: `A rolling update that may take Pods away before their replacements are ready, or \`Recreate\`, can leave the webhook without a
server. The replacements are Pods, too: if the webhook matches them, they wait for a server that does not exist.`,
  practice: goodPractice('ha-deployment'),
  fix: 'Use `strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}`: a new Pod is ready before an old one goes.',
  *check(inventory) {
    for (const { workloads } of backendsOf(inventory)) {
      for (const { source } of workloads) {
        if (source.object.kind !== 'Deployment') continue;
        const spec = specOf(source);
        const { type = 'RollingUpdate', rollingUpdate } = membersOf(spec.strategy);
        const title = titleOf(source);
        if (type === 'Recreate') {
          const message = `${title} stops all Pods of the webhook before it starts new ones (Recreate)`;
          yield { source, path: '/spec/strategy/type', message };
        } else if (remaining(spec) < 1) {
          const value = { maxUnavailable: 0, maxSurge: 1 };
          const patch = [
            { op: 'add', path: '/spec/strategy', value: { type, rollingUpdate: value } },
          ] as const;
          const { maxUnavailable } = membersOf(rollingUpdate);
          const message = `${title} may lose all ${String(spec.replicas ?? 1)} replicas during an update (maxUnavailable: ${String(maxUnavailable ?? '25%')})`;
          yield { source, path: '/spec/strategy', message, patch };
        }
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  strategy: {rollingUpdate: {maxUnavailable: 2}}
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  strategy: {type: Recreate}
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
  ],
  good: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
    `# By default a quarter, rounded down, may be unavailable: none of two.
${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  replicas: 2
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
`,
  ],
};

/** The replicas that are certainly available during a rolling update. */
function remaining({ replicas = 1, strategy }: JsonObject): number {
  const { maxUnavailable = '25%' } = membersOf(membersOf(strategy).rollingUpdate);
  const count = typeof replicas === 'number' ? replicas : 1;
  if (typeof maxUnavailable === 'number') return count - maxUnavailable;
  const percent = Number.parseInt(String(maxUnavailable), 10);
  return count - Math.floor((count * percent) / 100);
}
