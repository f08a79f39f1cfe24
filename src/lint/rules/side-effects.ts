import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const sideEffects: Rule = {
  id: 'side-effects',
  category: 'correctness',
  severity: 'error',
  title: 'sideEffects is missing, or neither None nor NoneOnDryRun',
  why: `The API server has to know whether a dry run may call the webhook. Version v1 of the configuration requires \`None\` or
\`NoneOnDryRun\`; with anything else it is rejected or, in objects that are older, every \`kubectl diff\` and \`--dry-run=server\` fails.`,
  practice: goodPractice('avoid-side-effects'),
  fix: 'Set `sideEffects: None`; if the webhook writes elsewhere, let it skip that on `dryRun` and set `NoneOnDryRun`.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const { source, path, spec } = webhook;
      const { sideEffects: value } = spec;
      if (value === 'None' || value === 'NoneOnDryRun') continue;
      const found = value === undefined ? 'has no sideEffects' : `has sideEffects: ${String(value)}`;
      yield {
        source,
        path: value === undefined ? path : `${path}/sideEffects`,
        message: `${describe(webhook)} ${found}; the API server accepts only None and NoneOnDryRun`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    sideEffects: Unknown
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    sideEffects: None
`,
  ],
};
