import { stringsOf } from '../model/text.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

export const reviewVersions: Rule = {
  id: 'review-versions',
  category: 'correctness',
  severity: 'error',
  title: 'admissionReviewVersions does not contain v1',
  why: `The API server sends reviews in the first version of this list that it knows. \`v1beta1\` has been deprecated since Kubernetes
1.16; once an API server no longer knows it, every call fails.`,
  practice: webhookReference('webhook-request-and-response'),
  fix: 'Teach the server `admission.k8s.io/v1` and put `v1` first. (`--fix` cannot know whether the server understands it.)',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const { source, path, spec } = webhook;
      const versions = stringsOf(spec.admissionReviewVersions);
      if (versions.includes('v1')) continue;
      const isOld = versions.includes('v1beta1');
      yield {
        source,
        path: spec.admissionReviewVersions === undefined ? path : `${path}/admissionReviewVersions`,
        message: `${describe(webhook)} accepts reviews of version ${versions.length === 0 ? 'none' : versions.join(', ')}, not v1`,
        severity: isOld ? 'warning' : 'error',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    admissionReviewVersions: [v1beta1]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    admissionReviewVersions: [v1, v1beta1]
`,
  ],
};
