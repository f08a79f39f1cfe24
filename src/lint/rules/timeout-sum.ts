import { ruleFor } from '../model/request-match.ts';
import { requestsOf, resourceText } from '../model/requests.ts';
import { isSatisfiable } from '../model/selector.ts';
import { shortList } from '../model/text.ts';
import type { Webhook } from '../model/webhook.ts';
import { goodPractice, type Rule } from '../rule.ts';

/** The API server's deadline for a request, unless the client sets a shorter one. */
const DEADLINE = 34;

export const timeoutSum: Rule = {
  id: 'timeout-sum',
  category: 'latency',
  severity: 'warning',
  title: 'Mutating webhooks that meet on one resource can together exceed the deadline of a request',
  why: `Mutating webhooks are called one after another, and the API server ends a request after 34 seconds. If the timeouts of those
that match the same object add up to more, a slow network fails the request with a timeout that names no webhook, even if all of them have
\`failurePolicy: Ignore\`.`,
  practice: goodPractice('design-admission-webhooks-low-latency'),
  fix: 'Shorten the timeouts, merge webhooks into one call, or narrow their selectors so that they do not meet.',
  *check({ webhooks }) {
    const mutating = webhooks.filter(({ isMutating }) => isMutating);
    const reported = new Set<string>();
    for (const request of requestsOf(mutating)) {
      const meeting = longestChain(mutating.filter((webhook) => ruleFor(webhook, request) !== undefined));
      const sum = total(meeting);
      const names = meeting.map(({ name }) => name);
      const [first] = meeting;
      if (sum <= DEADLINE || first === undefined || reported.has(names.join())) continue;
      reported.add(names.join());
      const place = `${request.operation} of ${resourceText(request)}`;
      const message = `${meeting.length} mutating webhooks meet on ${place} and may take ${sum} s of its ${DEADLINE} s: ${shortList(names)}`;
      yield { source: first.source, path: first.path, message };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: first.example.com
    timeoutSeconds: 20
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: second.example.com
    timeoutSeconds: 15
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: first.example.com
    timeoutSeconds: 5
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: second.example.com
    timeoutSeconds: 5
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
    `# They never meet: an object has the label, or it does not.
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: first.example.com
    timeoutSeconds: 20
    objectSelector: {matchLabels: {mesh: "on"}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  - name: second.example.com
    timeoutSeconds: 20
    objectSelector: {matchExpressions: [{key: mesh, operator: DoesNotExist}]}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`,
  ],
};

/** The webhooks with the longest sum whose selectors some object meets all at once. */
function longestChain(webhooks: readonly Webhook[]): readonly Webhook[] {
  let best: readonly Webhook[] = [];
  const visit = (chosen: readonly Webhook[], rest: readonly Webhook[]): void => {
    // Even all remaining ones together would not exceed it.
    if (total(chosen) + total(rest) <= total(best)) return;
    const [next, ...others] = rest;
    if (next === undefined) {
      best = chosen;
      return;
    }
    const extended = [...chosen, next];
    if (canMeet(extended)) visit(extended, others);
    visit(chosen, others);
  };
  visit([], webhooks);
  return best;
}

function canMeet(webhooks: readonly Webhook[]): boolean {
  return (
    isSatisfiable(webhooks.flatMap(({ objectSelector }) => objectSelector)) &&
    isSatisfiable(webhooks.flatMap(({ namespaceSelector }) => namespaceSelector))
  );
}

function total(webhooks: readonly Webhook[]): number {
  return webhooks.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
}
