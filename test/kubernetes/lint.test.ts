import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueServing, makeCa } from '../../src/certificates/issue-certificate.ts';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import { podgraft } from '../podgraft-process.ts';
import { accepted } from './client.ts';
import { startControlPlane } from './control-plane.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const now = new Date();
const ca = makeCa({ commonName: 'lint', days: 365, now });
const serving = issueServing({ ca, dnsNames: ['somewhere-else'], days: 365, now });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Sets everything that the API server would fill in, so that files and cluster are equal. */
const MANIFESTS = `apiVersion: v1
kind: Namespace
metadata: {name: lint-test}
---
apiVersion: v1
kind: Service
metadata: {namespace: lint-test, name: webhook}
spec: {selector: {app: webhook}, ports: [{port: 443, targetPort: 8443}]}
---
# Nobody runs Pods here, so that the endpoint is written by hand.
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: lint-test, name: webhook-by-hand, labels: {kubernetes.io/service-name: webhook}}
addressType: IPv4
ports: [{port: 8443, protocol: TCP}]
endpoints: [{addresses: [10.1.2.3], conditions: {ready: true}}]
---
apiVersion: v1
kind: Secret
metadata: {namespace: lint-test, name: webhook-tls}
data: {tls.crt: ${base64(serving.certificate)}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: lint-test, name: webhook}
spec:
  replicas: 1
  strategy: {type: Recreate}
  selector: {matchLabels: {app: webhook}}
  template:
    metadata: {labels: {app: webhook}}
    spec:
      containers: [{name: webhook, image: "webhook:1"}]
      volumes: [{name: tls, secret: {secretName: webhook-tls}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: lint-test}
rules: [{apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], verbs: [update]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: lint-test}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lint-test}
subjects: [{kind: User, name: somebody, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: lint-test}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "object.spec.containers.all(c, c.image != 'bad')"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: lint-test
  annotations: {podgraft.dev/lint-ignore: timeout=for the test}
webhooks:
  - name: inject.lint-test.example.com
    failurePolicy: Fail
    matchPolicy: Exact
    reinvocationPolicy: Never
    sideEffects: None
    timeoutSeconds: 15
    admissionReviewVersions: [v1]
    clientConfig: {caBundle: ${base64(ca.certificate)}, service: {namespace: lint-test, name: webhook, port: 8443, path: /}}
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: lint-test}}
    objectSelector: {matchLabels: {app: webhook}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods], scope: "*"}]
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-lint-'));
  await writeFile(join(folder, 'all.yaml'), MANIFESTS);
  const { code, stderr } = await plane.kubectl(['apply', '-f', '-'], { input: MANIFESTS });
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await plane.kubectl(['delete', '--wait=false', '-f', '-'], { input: MANIFESTS });
  await rm(folder, { recursive: true });
});

interface Finding {
  rule: string;
  severity: string;
  message: string;
  path: string;
  object: { kind: string; namespace?: string; name: string };
  file?: string;
}

async function lint(...args: string[]) {
  const { stdout, stderr, code } = await podgraft(['lint', '-o', 'json', ...args]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 });
  const { findings, ignored } = JSON.parse(stdout) as { findings: Finding[]; ignored: Finding[] };
  const isOwn = ({ object }: Finding) => object.namespace === 'lint-test' || object.name === 'lint-test';
  const brief = ({ rule, severity, message, path, object: { kind } }: Finding) =>
    `${severity} ${rule} ${kind} ${path}: ${message}`;
  return {
    findings: findings.filter(isOwn).map(brief).toSorted(),
    ignored: ignored.filter(isOwn).map(brief),
    hasFiles: findings.some(({ file }) => file !== undefined),
  };
}

test('--context finds in a cluster what it finds in the files', async () => {
  const files = await lint(join(folder, 'all.yaml'));
  const { stdout } = await plane.kubectl(['config', 'current-context']);
  const cluster = await lint('--kubeconfig', plane.kubeconfig, '--context', stdout.trim());
  expect(cluster.findings).toEqual(files.findings);
  expect(cluster.ignored).toEqual(files.ignored);
  expect([files.hasFiles, cluster.hasFiles]).toEqual([true, false]);
  const rules = new Set(files.findings.map((finding) => finding.split(' ')[1]));
  expect([...rules].toSorted()).toEqual([
    'certificate-name',
    'configuration-writers',
    'disruption-budget',
    'forgotten-containers',
    'immutable-update',
    'match-policy',
    'mutating-fail',
    'own-namespace',
    'pre-stop',
    'readiness-probe',
    'replicas',
    'rollout-surge',
    'service-reachable',
    'sidecar-reinvocation',
  ]);
});

/** May read the webhooks and little else. */
const RESTRICTED = `apiVersion: v1
kind: ServiceAccount
metadata: {namespace: lint-test, name: jane}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: lint-jane}
rules:
  - apiGroups: [admissionregistration.k8s.io]
    resources: [mutatingwebhookconfigurations, validatingwebhookconfigurations, validatingadmissionpolicies]
    verbs: [get, list]
  - {apiGroups: [""], resources: [services, namespaces], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: lint-jane}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lint-jane}
subjects: [{kind: ServiceAccount, namespace: lint-test, name: jane}]
`;

test('a user with few permissions gets findings about readable objects, and a list of the rest', async () => {
  const strict = await startControlPlane({ authorizationMode: 'RBAC', controllers: false });
  try {
    const input = `${MANIFESTS}---\n${RESTRICTED}`;
    const { code, stderr } = await strict.kubectl(['apply', '-f', '-'], { input });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const path = '/api/v1/namespaces/lint-test/serviceaccounts/jane/token';
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { token } = accepted(
      await strict.request<{ status: { token: string } }>('POST', path, body),
    ).status;
    const file = join(folder, 'jane.json');
    await writeFile(file, kubeconfig({ ...strict, token }));
    const run = await podgraft(['lint', '--kubeconfig', file, '-o', 'json']);
    expect(run).toMatchObject({ stderr: '', code: 1 });
    const report = JSON.parse(run.stdout) as {
      findings: Finding[];
      unchecked: { subject: string; why: string }[];
    };
    const rules = new Set(report.findings.map(({ rule }) => rule));
    // Without the Deployment, it is unknown whether the webhook intercepts its own Pods.
    expect([...rules].toSorted()).toEqual([
      'forgotten-containers',
      'immutable-update',
      'match-policy',
      'mutating-fail',
      'service-reachable',
      'sidecar-reinvocation',
    ]);
    const subjects = report.unchecked.map(({ subject }) => subject);
    for (const kind of ['Deployment', 'EndpointSlice', 'ClusterRole', 'RoleBinding', 'PodDisruptionBudget'])
      expect(subjects).toContain(kind);
    for (const kind of ['Service', 'Namespace', 'MutatingWebhookConfiguration'])
      expect(subjects).not.toContain(kind);
    for (const { why } of report.unchecked) expect(why).toMatch(/403 Forbidden: .*lint-test:jane/);
  } finally {
    await strict.stop();
  }
}, 120_000);
