import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-cases-'));
afterAll(() => rmSync(cwd, { recursive: true }));
mkdirSync(join(cwd, 'cases'));
writeFileSync(join(cwd, 'podgraft.yaml'), STAMP);
writeFileSync(
  join(cwd, 'cases', 'web.yaml'),
  `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
`,
);
const run = (...args: string[]) => podgraft(['test', ...args], { cwd });

test('a case without expected results fails, and --update writes them', async () => {
  const missing = await run('cases');
  expect(missing.code).toBe(1);
  expect(missing.stdout).toMatch(
    /FAIL {2}cases\/web\n +No golden file .*--update.*\n\n0 passed, 1 failed\n$/,
  );

  expect(await run('cases', '--update')).toMatchObject({
    code: 0,
    stdout: 'ok    cases/web\n\n1 passed, 0 failed\n',
  });
  const written = parse(readFileSync(join(cwd, 'cases', 'web.out.yaml'), 'utf8'));
  expect(written).toMatchObject({
    Deployment: 'web',
    injectors: { stamp: 'grafted' },
    object: { spec: { template: { metadata: { annotations: { 'injected-by': 'my-webhook' } } } } },
  });
  expect(await run('cases')).toMatchObject({ code: 0, stdout: 'ok    cases/web\n\n1 passed, 0 failed\n' });
});

test('a changed configuration fails with the difference', async () => {
  writeFileSync(join(cwd, 'other.yaml'), STAMP.replace('my-webhook', 'another'));
  const { code, stdout } = await run('cases', '--config', 'other.yaml');
  expect(code).toBe(1);
  expect(stdout).toContain('injected-by: another');
});

test('a folder without cases is an error', async () => {
  mkdirSync(join(cwd, 'empty'), { recursive: true });
  const { code, stderr } = await run('empty');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: empty: no case (*.yaml) in this folder\n' });
});

test('admission policies from the files of the configuration are tested too', async () => {
  const pods =
    '{resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}';
  writeFileSync(
    join(cwd, 'policy.yaml'),
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints: ${pods}
  validations: [{expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: a tag is needed}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
`,
  );
  writeFileSync(
    join(cwd, 'policies.yaml'),
    `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors: [{name: policies, use: admission-policy, with: {files: [policy.yaml]}}]
`,
  );
  mkdirSync(join(cwd, 'policy-cases'));
  writeFileSync(
    join(cwd, 'policy-cases', 'latest.yaml'),
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "web:latest"}]}\n',
  );
  expect(await run('policy-cases', '--config', 'policies.yaml', '--update')).toMatchObject({ code: 0 });
  const result = parse(readFileSync(join(cwd, 'policy-cases', 'latest.out.yaml'), 'utf8'));
  expect(result.denied).toBe(true);
  expect(result.injectors.policies).toContain('a tag is needed');
});
