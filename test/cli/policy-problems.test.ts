import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

// A pipeline should see the mistake before the cluster does: a policy that is not run accepts every object.
const RULES = `matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`;
const VALIDATIONS = `validations: [{expression: "object.metadata.name != 'web'", message: no}]`;
const CAUSES: readonly (readonly [string, string, string])[] = [
  [
    'an expression that does not compile',
    `${RULES}\n  validations: [{expression: "object.metadata.name = 'web'"}]`,
    'spec.validations[0].expression: Invalid value',
  ],
  [
    'an audit annotation of type dyn',
    `${RULES}\n  ${VALIDATIONS}\n  auditAnnotations: [{key: name, valueExpression: object.metadata.name}]`,
    'spec.auditAnnotations[0].valueExpression: Invalid value',
  ],
  [
    'a misspelt rule',
    `${RULES.replace('resources:', 'resource:')}\n  ${VALIDATIONS}`,
    'spec.matchConstraints.resourceRules[0].resources: Required value',
  ],
  [
    'misspelt validations',
    `${RULES}\n  ${VALIDATIONS.replace('validations', 'validatons')}`,
    'spec.validations: Required value',
  ],
  [
    'a paramKind that is not configured',
    `paramKind: {apiVersion: v1, kind: Secret}\n  ${RULES}\n  ${VALIDATIONS}`,
    'its paramKind "v1, Secret" is not among "params" of the configuration',
  ],
];

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx:1.29
`;
const policyOf = (spec: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: strict}
spec: {policyName: strict, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: strict}
spec:
  ${spec}
`;
const configOf = (settings: string) => `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: policies
    use: admission-policy
    with: ${settings}
`;

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-policy-problems-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const write = (file: string, text: string) => writeFileSync(join(cwd, file), text);
const run = (...args: string[]) => podgraft(args, { cwd, input: POD });

beforeAll(() => {
  mkdirSync(join(cwd, 'cases'));
  write('podgraft.yaml', configOf('{params: [ConfigMap]}'));
  write('in-file.yaml', configOf('{files: [policies.yaml]}'));
});

test('a field that Pods do not have is a warning, since the policy is run', async () => {
  write('typo.yaml', configOf('{files: [typo-policies.yaml]}'));
  write(
    'typo-policies.yaml',
    policyOf(`${RULES}\n  validations: [{expression: "object.spec.nope == 1 || true"}]`),
  );
  const { code, stdout, stderr } = await run('inject', '-f', '-', '--config', 'typo.yaml');
  expect([code, stdout, stderr]).toEqual([
    0,
    POD,
    `warning: injector "policies": typo-policies.yaml:6: ValidatingAdmissionPolicy "strict": spec.validations[0].expression: 1:12: undefined field 'nope' (for Pod)\n`,
  ]);
});

describe.each(CAUSES)('a policy with %s', (_, spec, reason) => {
  const message = `injector "policies": ValidatingAdmissionPolicy "strict" is not run: `;
  beforeAll(() => {
    write('policies.yaml', policyOf(spec));
    write('cases/web.yaml', `${POD}---\n${policyOf(spec)}`);
  });

  test.each(['inject', 'explain'])('is an error of %s, with its place', async (command) => {
    const { code, stderr, stdout } = await run(command, '-f', '-', '--cluster', 'policies.yaml');
    expect(stderr).toContain(`error: policies.yaml:5: ${message}`);
    expect(stderr).toContain(reason);
    expect(code).toBe(1);
    if (command === 'inject') expect(stdout).toBe(POD);
  });

  test('is an error among the objects themselves, too', async () => {
    const { code, stderr } = await run('inject', '-f', 'policies.yaml');
    expect(stderr).toContain(`error: policies.yaml:5: ${message}`);
    expect(code).toBe(1);
  });

  test('is an error in a file of the configuration', async () => {
    const { code, stderr } = await run('inject', '-f', '-', '--config', 'in-file.yaml');
    expect(stderr).toContain(
      'error: injector "policies": policies.yaml:6: ValidatingAdmissionPolicy "strict"',
    );
    expect(code).toBe(1);
  });

  test('fails the case of test', async () => {
    const { code, stdout } = await run('test', 'cases', '--update');
    expect(stdout).toContain(`FAIL  cases/web`);
    expect(stdout).toContain(message);
    expect(stdout).toContain(reason);
    expect(code).toBe(1);
  });
});

test('explain does not say that there are no policies', async () => {
  const spec = `reinvocationPolicy: Never\n  ${RULES}\n  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "nope"}}]`;
  write('mutating.yaml', policyOf(spec).replaceAll('Validating', 'Mutating'));
  const { stdout } = await run('explain', '-f', '-', '--cluster', 'mutating.yaml');
  expect(stdout).toContain('no MutatingAdmissionPolicy is valid');
});

describe('a file of the configuration that does not exist', () => {
  const message =
    'injector "policies": "missing/policies.yaml" does not exist or has never been valid: its policies are not run';
  beforeAll(() => {
    write('missing.yaml', configOf('{files: [missing/policies.yaml]}'));
    write('cases/web.yaml', POD);
  });

  test.each(['inject', 'explain'])('is an error of %s', async (command) => {
    const { code, stderr } = await run(command, '-f', '-', '--config', 'missing.yaml');
    expect(stderr).toBe(`error: ${message}\n`);
    expect(code).toBe(1);
  });

  test('fails the case of test', async () => {
    const { code, stdout } = await run('test', 'cases', '--config', 'missing.yaml', '--update');
    expect(stdout).toContain(message);
    expect(code).toBe(1);
  });
});
