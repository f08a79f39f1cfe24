import { isBuiltinGroup } from '../model/builtin.ts';
import { describe, failsClosed } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const mutatingFail: Rule = {
  id: 'mutating-fail',
  category: 'availability',
  severity: 'warning',
  title: 'A mutating webhook rejects requests while it is unreachable',
  why: `With \`failurePolicy: Fail\`, the default, an outage of this webhook is an outage of everything it matches: no Pod can be created,
nothing can be rescheduled. Mutation is rarely worth that. Let it fail open, and let something that validates decide whether an object without
the mutation is acceptable.`,
  practice: goodPractice('fail-open-validate-final-state'),
  fix: 'Set `failurePolicy: Ignore`, and validate what must not be missing with a policy or a validating webhook.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      if (!webhook.isMutating || !failsClosed(webhook)) continue;
      const { source, path, spec, rules } = webhook;
      const groups = rules.flatMap((rule) => rule.groups);
      // Custom resources of the webhook's own operator: an outage stops only that operator.
      const isOwn = groups.length > 0 && !groups.some(isBuiltinGroup);
      const reason =
        spec.failurePolicy === undefined ? 'has no failurePolicy, which means Fail' : 'fails closed';
      yield {
        source,
        path: spec.failurePolicy === undefined ? path : `${path}/failurePolicy`,
        message: `${describe(webhook)} ${reason}: while it is down, what it matches cannot be written`,
        severity: isOwn ? 'info' : 'warning',
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Fail
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Ignore
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# A validating webhook that fails closed is a decision, and often the right one.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Fail
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};
