import { backendsOf, servingContainer } from '../model/backend.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const readinessProbe: Rule = {
  id: 'readiness-probe',
  category: 'availability',
  severity: 'warning',
  title: 'The container that serves the webhook has no readiness probe',
  why: `Without a readiness probe, a Pod receives reviews as soon as its process exists: before it listens, and while it hangs. Each of
these calls fails or waits for its timeout.`,
  practice: goodPractice('load-balancer-webhook'),
  fix: 'Add a `readinessProbe` that succeeds once the server can answer reviews.',
  *check(inventory) {
    for (const backend of backendsOf(inventory)) {
      for (const workload of backend.workloads) {
        const container = servingContainer(workload, backend);
        if (container === undefined || container.readinessProbe !== undefined) continue;
        const { source, containers } = workload;
        yield {
          source,
          path: `/spec/template/spec/containers/${containers.indexOf(container)}`,
          message: `${titleOf(source)}: container "${String(container.name)}" serves a webhook without a readinessProbe`,
        };
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec:
      containers:
        - {name: webhook, ports: [{containerPort: 8443}]}
`,
  ],
  good: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template:
    metadata: {labels: {app: webhook}}
    spec:
      containers:
        - {name: metrics, ports: [{containerPort: 9090}]}
        - name: webhook
          ports: [{containerPort: 8443}]
          readinessProbe: {httpGet: {path: /readyz, port: 8443, scheme: HTTPS}}
`,
  ],
};
