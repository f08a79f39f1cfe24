import type { JsonObject } from '../../json/json.ts';
import { asJson } from '../../kube/kube-object.ts';
import { type ExpressionRequest, expressionBindings } from '../../policy/bindings.ts';
import { compilePolicy } from '../../policy/compile-policy.ts';
import { evaluateConditions } from '../../policy/evaluate.ts';
import { parsePolicy } from '../../policy/policy.ts';
import { failedValidations } from '../../policy/validate-request.ts';
import { webhookConditions } from '../../policy/webhook-conditions.ts';
import { contextFor } from '../model/conditions.ts';
import { ruleFor } from '../model/request-match.ts';
import { type Source, titleOf } from '../model/source.ts';
import { describe } from '../model/webhook.ts';
import { type Rule, webhookReference } from '../rule.ts';

const CONTAINERS = 20;
const VARIABLES = 100;

export const celCost: Rule = {
  id: 'cel-cost',
  category: 'correctness',
  severity: 'warning',
  title: 'A CEL expression exceeds the cost limit for large Pods',
  why: `The API server counts what an expression does and stops it at a limit. A loop inside a loop over containers or variables works in
tests and fails for the one team whose Pod is large: the request is rejected, or the check is skipped, as \`failurePolicy\` says.`,
  practice: webhookReference('matching-requests-matchconditions'),
  fix: `Avoid loops inside loops over the same list; look up keys of maps instead. (Evaluated on a Pod of ${CONTAINERS} containers with ${VARIABLES} variables each.)`,
  *check(inventory) {
    const context = contextFor(POD, largePod());
    for (const webhook of inventory.webhooks) {
      if (webhook.matchConditions.length === 0 || ruleFor(webhook, POD) === undefined) continue;
      const result = evaluateConditions(webhookConditions(webhook.spec), expressionBindings(context));
      if (result === true || !('error' in result) || !isTooCostly(result.error)) continue;
      const path = `${webhook.path}/matchConditions`;
      yield { source: webhook.source, path, message: `${describe(webhook)}: match conditions ${EFFECT}` };
    }
    for (const source of inventory.list('ValidatingAdmissionPolicy')) {
      if (!isTooCostlyPolicy(source, context)) continue;
      yield { source, path: '/spec/validations', message: `${titleOf(source)}: validations ${EFFECT}` };
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: unique-variables}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
    - expression: object.spec.containers.all(c, c.env.all(a, c.env.exists_one(b, b.name == a.name)))
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
    matchConditions:
      - name: unique-variables
        expression: object.spec.containers.all(c, c.env.all(a, c.env.exists_one(b, b.name == a.name)))
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-secrets}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
    - expression: object.spec.containers.all(c, c.env.all(a, a.name != "PASSWORD"))
`,
  ],
};

const POD = { group: '', resource: 'pods', operation: 'CREATE' } as const;
const EFFECT = `cost more than the API server allows for a Pod of ${CONTAINERS} containers with ${VARIABLES} variables each`;

function largePod(): JsonObject {
  const env = Array.from({ length: VARIABLES }, (_, index) => ({
    name: `VARIABLE_NUMBER_${index}`,
    value: `the value of variable number ${index}`,
  }));
  const containers = Array.from({ length: CONTAINERS }, (_, index) => ({
    name: `container-${index}`,
    image: `registry.example.com/team/image-${index}:1.0`,
    env,
  }));
  const metadata = { name: 'example', namespace: 'default', labels: {}, annotations: {} };
  return { metadata, spec: { containers, initContainers: [], ephemeralContainers: [], volumes: [] } };
}

/** Also for policies that do not match Pods: an expression that does not fit a Pod fails for another reason. */
function isTooCostlyPolicy({ object }: Source, context: ExpressionRequest): boolean {
  const policy = parsePolicy(asJson(object), 'ValidatingAdmissionPolicy');
  const failed = failedValidations(policy, compilePolicy(policy), context);
  return failed.some(({ message }) => isTooCostly(message));
}

function isTooCostly(message: string): boolean {
  return message.includes('cost limit exceeded') || message.includes('running out of cost budget');
}
