import { membersOf } from '../../kube/json-parts.ts';
import { backendsOf, servingContainer } from '../model/backend.ts';
import { WEBHOOK_AND_SERVICE } from '../model/sample.ts';
import { titleOf } from '../model/source.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const preStop: Rule = {
  id: 'pre-stop',
  category: 'availability',
  severity: 'info',
  title: 'The container that serves the webhook has no preStop hook',
  why: `When a Pod is deleted, nodes learn only after a moment that it is no longer an endpoint. A server that stops listening at once
refuses the calls that still arrive, so every rollout fails some requests. A server may also wait by itself after SIGTERM; the manifest
does not show that.`,
  practice: goodPractice('ha-deployment'),
  fix: 'Add `lifecycle: {preStop: {sleep: {seconds: 5}}}`, unless the server keeps answering for a while after SIGTERM.',
  *check(inventory) {
    for (const backend of backendsOf(inventory)) {
      for (const workload of backend.workloads) {
        const container = servingContainer(workload, backend);
        if (container === undefined || membersOf(container.lifecycle).preStop !== undefined) continue;
        const { source, containers } = workload;
        yield {
          source,
          path: `/spec/template/spec/containers/${containers.indexOf(container)}`,
          message: `${titleOf(source)}: container "${String(container.name)}" serves a webhook without a preStop hook`,
        };
      }
    }
  },
  bad: [
    `${WEBHOOK_AND_SERVICE}apiVersion: apps/v1
kind: Deployment
metadata: {namespace: example, name: webhook}
spec:
  template: {metadata: {labels: {app: webhook}}, spec: {containers: [{name: webhook}]}}
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
        - name: webhook
          lifecycle: {preStop: {sleep: {seconds: 5}}}
`,
  ],
};
