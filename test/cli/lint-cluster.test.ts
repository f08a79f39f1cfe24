import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { answer, type FakeApiServer, refuse, startFakeApiServer } from '../cluster/fake-api-server.ts';
import { podgraft } from '../podgraft-process.ts';

/** By the last part of the path under which the API server lists them. */
const OBJECTS: { readonly [resource: string]: string } = {
  mutatingwebhookconfigurations: `
metadata: {name: example}
webhooks:
  - name: pods.example.com
    failurePolicy: Ignore
    sideEffects: None
    timeoutSeconds: 5
    admissionReviewVersions: [v1]
    reinvocationPolicy: IfNeeded
    clientConfig: {service: {namespace: shop, name: webhook, path: /, port: 443}, caBundle: Q2VydGlmaWNhdGU=}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods], scope: Namespaced}]
    namespaceSelector: {matchExpressions: [{key: control-plane, operator: DoesNotExist}]}
`,
  validatingadmissionpolicies: `
metadata: {name: checks-pods}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "true"}]
`,
  namespaces: `
metadata: {name: kube-system, labels: {kubernetes.io/metadata.name: kube-system, control-plane: "true"}}
---
metadata: {name: shop, labels: {kubernetes.io/metadata.name: shop, control-plane: "true"}}
`,
  services: `
metadata: {namespace: shop, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443, targetPort: 8443}]}
`,
  endpointslices: `
metadata: {namespace: shop, name: webhook-1, labels: {kubernetes.io/service-name: webhook}}
endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]
ports: [{port: 8443}]
`,
  deployments: `
metadata: {namespace: shop, name: webhook}
spec:
  replicas: 1
  selector: {matchLabels: {app: webhook}}
  template:
    metadata: {labels: {app: webhook}}
    spec:
      containers: [{name: webhook, image: "webhook:1"}]
      volumes: [{name: tls, secret: {secretName: webhook-tls}}]
`,
  clusterroles: `
metadata: {name: writer}
rules: [{apiGroups: [admissionregistration.k8s.io], resources: ["*"], verbs: [update]}]
`,
  clusterrolebindings: `
metadata: {name: writer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: writer}
subjects: [{kind: User, name: somebody, apiGroup: rbac.authorization.k8s.io}]
`,
};

const folder = mkdtempSync(join(tmpdir(), 'podgraft-lint-'));
const kubeconfig = join(folder, 'kubeconfig.json');
let api: FakeApiServer;
/** Resources that the user of the test may not read. */
let forbidden: readonly string[] = [];

beforeAll(async () => {
  api = await startFakeApiServer(({ path }, response) => {
    const name = /\/secrets\/([^/]+)$/.exec(path)?.[1];
    const resource = name === undefined ? (path.split('/').at(-1) ?? '') : 'secrets';
    if (forbidden.includes(resource))
      return refuse(response, 403, 'Forbidden', `${resource} is forbidden: User "jane" cannot list them`);
    if (name !== undefined) return answer(response, secret(name));
    const items = parseAllDocuments(OBJECTS[resource] ?? '').map((document) => document.toJS());
    answer(response, { metadata: {}, items });
  });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: api.url } }],
    users: [{ name: 'jane', user: {} }],
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'jane' } }],
    'current-context': 'prod',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

function secret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'shop', name }, data: {} };
}

const CONNECTION = ['--kubeconfig', kubeconfig, '--context', 'prod'];

async function lint(...refused: string[]) {
  forbidden = refused;
  const { stdout, stderr, code } = await podgraft(['lint', ...CONNECTION, '-o', 'json']);
  expect(stderr).toBe('');
  const { findings, unchecked } = JSON.parse(stdout) as {
    findings: { rule: string }[];
    unchecked: { subject: string; why: string }[];
  };
  return {
    rules: [...new Set(findings.map(({ rule }) => rule))].toSorted(),
    unchecked: unchecked.map(({ subject }) => subject).toSorted(),
    code,
  };
}

/** About the server and who may write; all other findings are about the configuration. */
const SERVER = ['disruption-budget', 'pre-stop', 'readiness-probe', 'replicas'];

test('an administrator gets all findings', async () => {
  expect(await lint()).toEqual({
    rules: ['ca-bundle', 'configuration-writers', ...SERVER].toSorted(),
    unchecked: [],
    code: 1,
  });
});

test('names what a user may not read, and reports the rest', async () => {
  const refused = ['secrets', 'deployments', 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
  expect(await lint(...refused)).toEqual({
    rules: ['ca-bundle'],
    // Without Deployments, the Secrets to read are unknown.
    unchecked: ['ClusterRole', 'ClusterRoleBinding', 'Deployment', 'Role', 'RoleBinding'],
    code: 1,
  });
  expect(await lint('secrets')).toMatchObject({ unchecked: ['Secret'] });
});

test('reports nothing about unreadable objects', async () => {
  const { rules, unchecked } = await lint(
    'namespaces',
    'validatingadmissionpolicies',
    'services',
    'endpointslices',
    'poddisruptionbudgets',
    'customresourcedefinitions',
  );
  expect(rules).toEqual(['ca-bundle', 'configuration-writers']);
  expect(unchecked).toEqual([
    'CustomResourceDefinition',
    'EndpointSlice',
    'Namespace',
    'PodDisruptionBudget',
    'Service',
    'ValidatingAdmissionPolicy',
  ]);
});

test('fails if the webhooks themselves cannot be read', async () => {
  expect(await lint('mutatingwebhookconfigurations')).toMatchObject({
    unchecked: ['MutatingWebhookConfiguration'],
    code: 1,
  });
  const { stdout } = await podgraft(['lint', ...CONNECTION]);
  expect(stdout).toMatch(/^Could not read the webhooks\n/);
  expect(stdout).toContain(
    'Not checked\n  MutatingWebhookConfiguration  Cannot list mutatingwebhookconfigurations: 403 Forbidden: ',
  );
});

test('the table shows that the score is incomplete', async () => {
  forbidden = ['secrets'];
  const { stdout } = await podgraft(['lint', ...CONNECTION]);
  expect(stdout).toMatch(/^Score \d+ of 100 .* \(not everything was checked: see below\)\n/);
  expect(stdout).toContain('Not checked\n  Secret  Cannot get Secret "shop/webhook-tls": 403 Forbidden: ');
});

test.each([
  [['--context', 'nowhere', '--kubeconfig', kubeconfig], 'unknown context "nowhere"'],
  [['--context', 'prod', '--kubeconfig', join(folder, 'missing')], 'no such file'],
])('%j is refused', async (args, message) => {
  const { stderr, code } = await podgraft(['lint', ...args]);
  expect(stderr).toContain(message);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(code).toBe(1);
});
