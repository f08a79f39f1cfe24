import { addCondition } from '../model/add-condition.ts';
import type { Request } from '../model/request.ts';
import { ruleFor } from '../model/request-match.ts';
import { resourceText } from '../model/requests.ts';
import { shortList } from '../model/text.ts';
import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

const REVIEWS: readonly Request[] = [
  { group: 'authentication.k8s.io', resource: 'tokenreviews', operation: 'CREATE', labels: {} },
  { group: 'authentication.k8s.io', resource: 'selfsubjectreviews', operation: 'CREATE', labels: {} },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', operation: 'CREATE', labels: {} },
  { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews', operation: 'CREATE', labels: {} },
  { group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews', operation: 'CREATE', labels: {} },
];

export const accessReviews: Rule = {
  id: 'access-reviews',
  category: 'scope',
  severity: 'error',
  title: 'The webhook intercepts reviews of authentication or authorization',
  why: `TokenReview, SubjectAccessReview and similar reviews check access and store nothing. Changing such a review changes who may do
what, and delaying it delays every aggregated API and every kubelet that depends on it. Before version 1.37 the API server calls webhooks
for them.`,
  practice: goodPractice('webhook-limit-scope'),
  fix: 'List the groups that the webhook is for instead of `*`, or exclude both groups with a match condition. `--fix` adds one to mutating webhooks.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const hits = REVIEWS.flatMap((request) => {
        const rule = ruleFor(webhook, request);
        return rule === undefined ? [] : { request, rule };
      });
      const [first] = hits;
      if (first === undefined) continue;
      const condition = "!(request.resource.group in ['authentication.k8s.io', 'authorization.k8s.io'])";
      const names = shortList(
        hits.map(({ request }) => resourceText(request)),
        2,
      );
      yield {
        source: webhook.source,
        path: `${first.rule.path}/resources`,
        message: `${describe(webhook)} is called for ${names}`,
        severity: webhook.isMutating ? 'error' : 'warning',
        ...(webhook.isMutating && { patch: addCondition(webhook, 'not-access-reviews', condition) }),
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
    matchConditions:
      - name: not-access-reviews
        expression: "!(request.resource.group in ['authentication.k8s.io', 'authorization.k8s.io'])"
`,
    `# Reviews have no namespace.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"], scope: Namespaced}]
`,
  ],
};
