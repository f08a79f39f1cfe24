import { describe } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

const LONGEST = 10;

export const timeout: Rule = {
  id: 'timeout',
  category: 'latency',
  severity: 'warning',
  title: 'The timeout is missing or longer than 10 seconds',
  why: `While a webhook hangs, every request that it matches waits for its timeout. A review takes milliseconds, so a short timeout costs
nothing normally and limits the damage of an outage. The default is 10 seconds, and the timeouts of mutating webhooks add up.`,
  practice: goodPractice('small-timeout'),
  fix: 'Set `timeoutSeconds` to a few seconds; 5 is plenty. `--fix` only writes down the 10 seconds that apply anyway.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const { source, path, spec, timeoutSeconds } = webhook;
      if (spec.timeoutSeconds === undefined) {
        const message = `${describe(webhook)} has no timeoutSeconds; the API server waits for 10 s`;
        const patch = [{ op: 'add', path: `${path}/timeoutSeconds`, value: LONGEST }] as const;
        yield { source, path, severity: 'info', message, patch };
      } else if (timeoutSeconds > LONGEST) {
        const message = `${describe(webhook)} may delay requests for ${timeoutSeconds} s`;
        yield { source, path: `${path}/timeoutSeconds`, message };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    timeoutSeconds: 30
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
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
    timeoutSeconds: 5
`,
  ],
};
