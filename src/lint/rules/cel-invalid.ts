import { CelCompileError } from '../../cel/compile-error.ts';
import { asJson } from '../../kube/kube-object.ts';
import { type Compiled, compilePolicy } from '../../policy/compile-policy.ts';
import { parsePolicy } from '../../policy/policy.ts';
import { webhookConditions } from '../../policy/webhook-conditions.ts';
import { type Source, titleOf } from '../model/source.ts';
import { describe } from '../model/webhook.ts';
import { type Problem, type Rule, webhookReference } from '../rule.ts';

export const celInvalid: Rule = {
  id: 'cel-invalid',
  category: 'correctness',
  severity: 'error',
  title: 'A CEL expression does not compile',
  why: `The API server rejects the configuration. If it got there in spite of that, for example because an older version knew a function that
this one does not, the expression fails on every request, and \`failurePolicy\` decides.`,
  practice: webhookReference('matching-requests-matchconditions'),
  fix: 'Correct the expression; the message names the place. (Checked as Kubernetes 1.36 does.)',
  *check(inventory) {
    for (const webhook of inventory.webhooks) {
      const programs = webhookConditions(webhook.spec);
      yield* problemsOf(
        webhook.source,
        describe(webhook),
        programs,
        `${webhook.path}/matchConditions`,
        'expression',
      );
    }
    for (const kind of ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'] as const) {
      for (const source of inventory.list(kind)) yield* policyProblems(source, kind);
    }
  },
  bad: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    matchConditions:
      - name: not-from-nodes
        expression: "!request.userInfo.groups.contains('system:nodes')"
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= variables.limit
`,
  ],
  good: [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    matchConditions:
      - name: not-from-nodes
        expression: "!('system:nodes' in request.userInfo.groups)"
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  variables:
    - {name: limit, expression: "5"}
  validations:
    - expression: object.spec.replicas <= variables.limit
`,
  ],
};

function* policyProblems(
  source: Source,
  kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy',
): Iterable<Problem> {
  const policy = parsePolicy(asJson(source.object), kind);
  const compiled = compilePolicy(policy);
  const owner = titleOf(source);
  const variables = [...compiled.variables.values()] as Compiled[];
  yield* problemsOf(source, owner, variables, '/spec/variables', 'expression');
  yield* problemsOf(source, owner, compiled.matchConditions, '/spec/matchConditions', 'expression');
  yield* problemsOf(source, owner, compiled.validations, '/spec/validations', 'expression');
  yield* problemsOf(source, owner, compiled.messages, '/spec/validations', 'messageExpression');
  yield* problemsOf(source, owner, compiled.annotations, '/spec/auditAnnotations', 'valueExpression');
  for (const [index, program] of compiled.mutations.entries()) {
    const field = policy.mutations[index]?.patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    yield* problemsOf(source, owner, [program], `/spec/mutations/${index}/${field}`, 'expression', true);
  }
}

function* problemsOf(
  source: Source,
  owner: string,
  programs: readonly (Compiled | undefined)[],
  list: string,
  field: string,
  isSingle = false,
): Iterable<Problem> {
  for (const [index, program] of programs.entries()) {
    if (!(program instanceof CelCompileError)) continue;
    const path = isSingle ? `${list}/${field}` : `${list}/${index}/${field}`;
    const [issue] = program.issues;
    const text = issue === undefined ? program.message : `${issue.text} (column ${issue.column})`;
    yield { source, path, message: `${owner}: ${text.replaceAll('\n', ' ').slice(0, 160)}` };
  }
}
