import type { Request } from '../model/request.ts';
import { ruleFor } from '../model/request-match.ts';
import { resourceText } from '../model/requests.ts';
import { shortList } from '../model/text.ts';
import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

/** Almost all of their specs cannot be changed. */
const IMMUTABLE: readonly Request[] = [
  { group: '', resource: 'pods', operation: 'UPDATE' },
  { group: 'batch', resource: 'jobs', operation: 'UPDATE' },
  { group: '', resource: 'persistentvolumeclaims', operation: 'UPDATE' },
];

export const immutableUpdate: Rule = {
  id: 'immutable-update',
  category: 'scope',
  severity: 'warning',
  title: 'A mutating webhook is called for updates of objects whose spec is immutable',
  why: `A patch of an immutable field makes the API server reject the whole update, even if it only adds a label or removes a
finalizer: the Pod can then never be deleted. Objects older than the webhook are affected first.`,
  practice: goodPractice('dont-change-immutable-objects'),
  fix: 'Remove UPDATE for Pods, Jobs and PersistentVolumeClaims, unless the webhook changes only metadata.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      if (!webhook.isMutating) continue;
      const hits = IMMUTABLE.flatMap((request) => {
        const rule = ruleFor(webhook, request);
        return rule === undefined ? [] : { request, rule };
      });
      const [first] = hits;
      if (first === undefined) continue;
      const isByWildcard = first.rule.resources.some((resource) => resource.startsWith('*'));
      yield {
        source: webhook.source,
        path: `${first.rule.path}/operations`,
        message: `${describe(webhook)} is called for UPDATE of ${shortList(hits.map(({ request }) => resourceText(request)))}, whose spec is immutable`,
        severity: isByWildcard ? 'info' : 'warning',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: deployments.example.com
    rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
`,
  ],
};
