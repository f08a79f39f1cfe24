import type { Request } from '../model/request.ts';
import { ruleFor } from '../model/request-match.ts';
import { resourceText } from '../model/requests.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

const EVENTS: readonly Request[] = [
  {
    group: '',
    resource: 'events',
    operation: 'CREATE',
    namespace: { name: 'default', labels: {} },
    labels: {},
  },
  {
    group: 'events.k8s.io',
    resource: 'events',
    operation: 'CREATE',
    namespace: { name: 'default', labels: {} },
    labels: {},
  },
];

export const events: Rule = {
  id: 'events',
  category: 'scope',
  severity: 'warning',
  title: 'The webhook is called for Events',
  why: `Events are written in bulk, especially during incidents. A webhook that writes an Event itself is called for it again, in an
endless loop. And if Events are rejected, the messages that would explain the outage are lost.`,
  practice: goodPractice('prevent-webhook-self-trigger'),
  fix: 'Leave Events out of `rules`, or exclude them with a match condition.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      for (const request of EVENTS) {
        const rule = ruleFor(webhook, request);
        if (rule === undefined) continue;
        const isByWildcard = rule.groups.includes('*') || rule.resources.some((each) => each.startsWith('*'));
        yield {
          source: webhook.source,
          path: `${rule.path}/resources`,
          message: `${describe(webhook)} is called for ${isByWildcard ? 'events' : resourceText(request)}`,
          severity: webhook.isMutating || failsClosed(webhook) ? 'warning' : 'info',
        };
        break;
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: core.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: ["*"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: core.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods, services]}]
`,
  ],
};
