import { ruleFor } from '../model/request-match.ts';
import { describe, type Webhook } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

export const sidecarReinvocation: Rule = {
  id: 'sidecar-reinvocation',
  category: 'correctness',
  severity: 'info',
  title: 'A webhook that injects sidecars is not called again',
  why: `Another webhook may add a container after this one has run. With \`reinvocationPolicy: Never\`, that container does not get what all
others have: a proxy, an environment, a mount. \`IfNeeded\` calls the webhook once more if the Pod has changed, so it has to be idempotent,
which it should be anyway.`,
  practice: goodPractice('dont-rely-webhook-order'),
  fix: 'Set `reinvocationPolicy: IfNeeded`, after you have tested that a second call changes nothing (`podgraft verify`).',
  *check({ webhooks }) {
    for (const webhook of webhooks) {
      if (!webhook.isMutating || webhook.reinvocationPolicy === 'IfNeeded' || !isInjector(webhook)) continue;
      const { source, path, spec } = webhook;
      yield {
        source,
        path: spec.reinvocationPolicy === undefined ? path : `${path}/reinvocationPolicy`,
        message: `${describe(webhook)} seems to inject containers, and is not called again when others add some (reinvocationPolicy: Never)`,
      };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: sidecar-injector.example.com
    reinvocationPolicy: Never
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: sidecar-injector.example.com
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};

/** Judged by its names, since a configuration does not describe what a server does. */
function isInjector(webhook: Webhook): boolean {
  if (!ruleFor(webhook, { group: '', resource: 'pods', operation: 'CREATE' })) return false;
  const { name, source, service, url } = webhook;
  const names = [name, source.object.metadata.name, service?.name, service?.path, url].join(' ');
  return /inject|sidecar|proxy/.test(names);
}
