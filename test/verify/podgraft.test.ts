import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinNames } from '../../src/injectors/catalog.ts';
import { podgraft, type ServerProcess, startProcess } from '../podgraft-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-verify-'));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Every injector has something to do: for all Pods, or for those of the namespace that `verify` uses. */
const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: stamp
    use: metadata
    with: {annotations: {example.com/injected: "yes"}, labels: {example.com/team: a}}
  - name: ca
    use: overlay
    with:
      overlay:
        spec:
          volumes: [{name: company-ca, configMap: {name: company-ca, optional: true}}]
          containers:
            - name: "*"
              volumeMounts: [{name: company-ca, mountPath: /etc/company-ca, readOnly: true}]
              env: [{name: SSL_CERT_DIR, value: "/etc/ssl/certs:/etc/company-ca"}]
  - {name: mesh, use: istio, with: {demonstration: true}}
  - {name: telemetry, use: opentelemetry, with: {languages: [java]}}
  - {name: aws, use: pod-identity, with: {awsDefaultRegion: eu-central-1}}
  - {name: logs, use: filebeat, with: {envFrom: [{secretRef: {name: filebeat-elasticsearch}}]}}
  - {name: mutators, use: gatekeeper}
  - {name: policies, use: admission-policy}
`;

const CLUSTER = `
apiVersion: v1
kind: Namespace
metadata:
  name: podgraft-verify
  labels: {istio-injection: enabled}
  annotations: {instrumentation.opentelemetry.io/inject-java: "true"}
---
apiVersion: opentelemetry.io/v1alpha1
kind: Instrumentation
metadata: {name: default, namespace: podgraft-verify}
spec: {exporter: {endpoint: "http://collector:4318"}}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: default
  namespace: podgraft-verify
  annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::444455556666:role/a"}
---
apiVersion: mutations.gatekeeper.sh/v1
kind: ModifySet
metadata: {name: drop-net-raw}
spec:
  applyTo: [{groups: [""], kinds: [Pod], versions: [v1]}]
  location: spec.containers[name:*].securityContext.capabilities.drop
  parameters: {values: {fromList: [NET_RAW]}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: owner}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'owner': 'a'}}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: owner}
spec: {policyName: owner}
`;

/** Requests everything that is injected on request. */
const POD = `
apiVersion: v1
kind: Pod
metadata:
  name: logging
  namespace: podgraft-verify
  annotations: {filebeat.enabled: "true", filebeat.log-path: /var/log/app/*.log}
spec:
  containers: [{name: app, image: "registry.example.com/app:1.2"}]
`;

/** These injectors on a separate server: the others must work with it. */
const SPLIT = ['stamp', 'mesh', 'logs', 'policies'];

const clusterFile = file('cluster.yaml', CLUSTER);
const podFile = file('pod.yaml', POD);
const servers: ServerProcess[] = [];
const configurations = { one: '', split: '' };
beforeAll(async () => {
  const entries = CONFIG.split(/^(?= {2}- )/m);
  const [head = '', ...injectors] = entries;
  const isSplit = (injector: string) => SPLIT.some((name) => injector.includes(`name: ${name}`));
  const whole = await start('podgraft', CONFIG);
  const some = await start('some', head + injectors.filter(isSplit).join(''));
  const others = await start('others', head + injectors.filter((each) => !isSplit(each)).join(''));
  configurations.one = file('one.json', JSON.stringify(list(whole)));
  configurations.split = file('split.json', JSON.stringify(list(some, others)));
}, 60_000);
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true });
});

const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });

/** Starts a server; returns the configuration of its webhook. */
async function start(name: string, config: string): Promise<object> {
  const args = ['--self-signed', '--config', file(`${name}.yaml`, config), '--cluster', clusterFile];
  const server = await startProcess(args);
  servers.push(server);
  const caBundle =
    /"caBundle":"([^"]+)"/.exec(server.output())?.[1] ?? /caBundle: (\S+)/.exec(server.output())?.[1];
  const webhook = {
    name: `${name}.podgraft.dev`,
    clientConfig: { url: `https://localhost:${server.port}/mutate`, caBundle },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 10,
    reinvocationPolicy: 'IfNeeded',
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  };
}

it('the configuration of this test has every injector', () => {
  const used = [...CONFIG.matchAll(/use: ([a-z-]+)/g)].map(([, name]) => name);
  expect(used.toSorted()).toEqual(builtinNames.toSorted());
});

it('every injector changes the Pod that requests all', async () => {
  const args = ['-f', podFile, '--config', join(folder, 'podgraft.yaml'), '--cluster', clusterFile];
  const { stdout } = await podgraft(['explain', ...args, '-o', 'json']);
  const [{ parts }] = JSON.parse(stdout) as [
    { parts: [{ trace: { injector: string; patch?: object[] }[] }] },
  ];
  const changing = parts[0].trace.flatMap(({ injector, patch = [] }) => (patch.length > 0 ? [injector] : []));
  const names = [...CONFIG.matchAll(/name: ([a-z]+)(?:,|\n +use)/g)].map(([, name]) => name);
  expect(names).toHaveLength(builtinNames.length);
  expect(new Set(changing)).toEqual(new Set(names));
});

it.each([
  ['one webhook', 'one', 14],
  // Two webhooks, and the checks of sets.
  ['two webhooks that share the injectors', 'split', 2 * 14 + 4],
] as const)(
  'Podgraft with all injectors passes every check, as %s',
  async (_, which, count) => {
    const args = [configurations[which], '-f', podFile, '--cluster', clusterFile, '-o', 'json'];
    const { stdout, stderr, code } = await podgraft(['verify', ...args]);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as {
      checks: { check: string; outcome: string; objects: number; finding?: unknown }[];
      notes: string[];
    };
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.notes).toEqual([]);
    expect(report.checks).toHaveLength(count);
    expect(code).toBe(0);
  },
  600_000,
);
