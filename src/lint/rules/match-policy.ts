import { builtinResource } from '../model/builtin.ts';
import { resourceText } from '../model/requests.ts';
import { shortList } from '../model/text.ts';
import { describe, type WebhookRule } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const matchPolicy: Rule = {
  id: 'match-policy',
  category: 'scope',
  severity: 'warning',
  title: 'The webhook does not see all versions of a resource',
  why: `With \`matchPolicy: Exact\`, an object that is sent in a version that the rule does not list passes by. A control that
another \`apiVersion\` bypasses is ineffective. A rule that lists only versions which Kubernetes no longer serves never matches.`,
  practice: goodPractice('match-all-versions'),
  fix: 'Remove `matchPolicy` (the default is `Equivalent`), and list the current version.',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      const { source, path, rules } = webhook;
      const isPartial = rules.some(({ versions }) => !versions.includes('*'));
      if (webhook.matchPolicy === 'Exact' && isPartial) {
        const message = `${describe(webhook)} is not called for other versions of what it matches (matchPolicy: Exact)`;
        yield { source, path: `${path}/matchPolicy`, message };
      }
      for (const rule of rules) {
        const old = outdated(rule);
        if (old.length === 0) continue;
        const message = `${describe(webhook)} lists only old versions (${rule.versions.join(', ')}) of ${shortList(old)}`;
        yield { source, path: `${rule.path}/apiVersions`, message };
      }
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: autoscalers.example.com
    matchPolicy: Exact
    rules: [{apiGroups: [autoscaling], apiVersions: [v2], operations: [CREATE], resources: [horizontalpodautoscalers]}]
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: budgets.example.com
    rules: [{apiGroups: [policy], apiVersions: [v1beta1], operations: [CREATE], resources: [poddisruptionbudgets]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: budgets.example.com
    matchPolicy: Equivalent
    rules: [{apiGroups: [policy], apiVersions: [v1, v1beta1], operations: [CREATE], resources: [poddisruptionbudgets]}]
`,
    `# With all versions in the rule, nothing passes by.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: all.example.com
    matchPolicy: Exact
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]
`,
  ],
};

/** The resources of Kubernetes of which a rule lists only versions before the stable one. */
function outdated({ groups, versions, resources }: WebhookRule): string[] {
  if (versions.includes('*') || !versions.every((version) => /(alpha|beta)/.test(version))) return [];
  return groups.flatMap((group) =>
    resources.flatMap((resource) => {
      const current = builtinResource(group, resource)?.version;
      const isOld = current !== undefined && !versions.includes(current);
      return isOld ? resourceText({ group, resource }) : [];
    }),
  );
}
