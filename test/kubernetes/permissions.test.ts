import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import { toYaml } from '../../src/kubernetes-yaml.ts';
import { startProcess } from '../podgraft-process.ts';
import { accepted, type Client } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { configWith, everyInjector, printed } from './installation.ts';
import { createNamespace } from './namespace.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-rights-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads one ConfigMap in podgraft's own namespace, and one name in every namespace. */
write(
  'house.mjs',
  `const map = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true };
export default {
  name: 'house', summary: '', match: {},
  config: ({ settings }) => ({ settings }),
  reads: ({ settings }) => [{ ...map, namespace: 'podgraft', name: settings }, { ...map, name: 'house' }],
  inject: (_, { cluster, config, request }) => ({ overlay: { metadata: { annotations: {
    settings: cluster.get(map, 'podgraft', config.settings)?.data.text,
    house: cluster.get(map, request.namespace, 'house')?.data.text,
  } } } }),
};
`,
);
const injectors = [
  ...everyInjector({
    'admission-policy': { authorizer: true },
    'pod-identity': { watchConfigMap: true, namespace: 'aws' },
    istio: { revision: 'canary', namespace: 'mesh-system' },
  }),
  { name: 'house', use: './house.mjs', with: { settings: 'settings' } },
];
const config = write('podgraft.yaml', toYaml(configWith(injectors)));

const READ = ['get', 'list', 'watch'];
const NAMESPACES = ['podgraft', 'aws', 'mesh-system', 'shop'];
const MAPS = {
  podgraft: ['settings'],
  aws: ['pod-identity-webhook'],
  'mesh-system': ['istio-sidecar-injector-canary', 'istio-canary'],
};

describe('the permissions of the ServiceAccount', () => {
  let plane: ControlPlane;
  let token: string;
  beforeAll(async () => {
    plane = await startControlPlane({ authorizationMode: 'RBAC', controllers: false });
    for (const name of NAMESPACES.slice(1)) await createNamespace(plane, name);
    const input = await printed(config, '--crds');
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0, stderr: '' });
    token = await tokenOf(plane);
  });
  afterAll(() => plane?.stop());

  it('cover the reads of the injectors, one Secret and two webhook configurations, and nothing else', async () => {
    const everywhere = [
      ...['namespaces', 'serviceaccounts', 'nodes', 'replicasets.apps', 'jobs.batch'],
      ...['instrumentations', 'opentelemetrycollectors'].map((kind) => `${kind}.opentelemetry.io`),
      'proxyconfigs.networking.istio.io',
      'providers.externaldata.gatekeeper.sh',
      ...['assign', 'assignimage', 'assignmetadata', 'modifyset'].map(
        (kind) => `${kind}.mutations.gatekeeper.sh`,
      ),
      ...['mutating', 'validating'].flatMap((phase) =>
        ['policies', 'policybindings'].map((kind) => `${phase}admission${kind}.admissionregistration.k8s.io`),
      ),
    ];
    const expected = [
      ...everywhere.flatMap((kind) =>
        ['', ...NAMESPACES.map((name) => ` in ${name}`)].map((place) => kind + place),
      ),
      ...Object.entries(MAPS).flatMap(([place, names]) =>
        names.map((name) => `configmaps in ${place} named ${name}`),
      ),
      ...['', ...NAMESPACES.map((name) => ` in ${name}`)].map((place) => `configmaps${place} named house`),
    ].flatMap((what) => READ.map((verb) => `${verb} ${what}`));
    expected.push(
      ...['', ...NAMESPACES.map((name) => ` in ${name}`)].map(
        (place) => `create subjectaccessreviews.authorization.k8s.io${place}`,
      ),
      'create secrets in podgraft',
      ...['get', 'watch', 'update'].map((verb) => `${verb} secrets in podgraft named podgraft-tls`),
      ...['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].flatMap((kind) =>
        ['get', 'watch', 'patch'].map(
          (verb) => `${verb} ${kind}.admissionregistration.k8s.io named podgraft`,
        ),
      ),
    );
    const granted = await grantedTo('system:serviceaccount:podgraft:podgraft', plane);
    expect(granted.toSorted()).toEqual(expected.toSorted());
  });

  it('are enough for a server with all injectors to become ready and to watch the ConfigMaps', async () => {
    const file = write('account.json', kubeconfig({ ...plane, token }));
    await putMap('mesh-system', 'istio-sidecar-injector-canary', meshData('1'));
    const server = await startProcess(['--http', '--config', config, '--kubeconfig', file]);
    onTestFinished(async () => void (await server.stop()));
    const monitoring = `http://127.0.0.1:${server.metricsPort}`;
    await eventually('it is ready', async () => (await fetch(`${monitoring}/readyz`)).ok);
    expect(server.output().match(/.*"watch lost".*/g)).toBeNull();

    const patched = async (...words: string[]) => {
      const text = await eventually(words.join(', '), async () => {
        const patch = await patchFor(server.port);
        return words.every((word) => patch.includes(word)) && patch;
      });
      return text;
    };
    await patched('proxy:1');
    await putMap('mesh-system', 'istio-sidecar-injector-canary', meshData('2'));
    await putMap('aws', 'pod-identity-webhook', rolesData('first'));
    await putMap('podgraft', 'settings', { text: 'of all' });
    await putMap('shop', 'house', { text: 'of the shop' });
    await patched('proxy:2', 'role/first', 'of all', 'of the shop');
    await putMap('aws', 'pod-identity-webhook', rolesData('second'));
    await patched('role/second');
    accepted(await plane.request('DELETE', '/api/v1/namespaces/aws/configmaps/pod-identity-webhook'));
    await eventually('the role is gone', async () => !(await patchFor(server.port)).includes('role/'));

    const metrics = await (await fetch(`${monitoring}/metrics`)).text();
    for (const [within, count] of [
      ['aws/pod-identity-webhook', 0],
      ['mesh-system/istio-sidecar-injector-canary', 1],
      ['mesh-system/istio-canary', 0],
      ['podgraft/settings', 1],
      ['*/house', 1],
    ]) {
      expect(metrics).toContain(
        `podgraft_cluster_view_objects{kind="ConfigMap",within="${within}"} ${count}\n`,
      );
      expect(metrics).toContain(`podgraft_cluster_view_age_seconds{kind="ConfigMap",within="${within}"} `);
    }
    expect(server.output()).not.toContain('Forbidden');
  });

  it.each([
    ['the ConfigMap of roles', 'aws/configmaps/pod-identity-webhook', 404],
    ['a list that selects it', 'aws/configmaps?fieldSelector=metadata.name%3Dpod-identity-webhook', 200],
    ['another ConfigMap of the namespace', 'aws/configmaps/other', 403],
    ['a list that selects another', 'aws/configmaps?fieldSelector=metadata.name%3Dother', 403],
    ['all of the namespace', 'aws/configmaps', 403],
    ["Istio's ConfigMap of another revision", 'mesh-system/configmaps/istio', 403],
    ["podgraft's own configuration", 'podgraft/configmaps/podgraft', 403],
  ])('%s: GET %s returns %i', async (_, path, status) => {
    const answer = await plane.request('GET', `/api/v1/namespaces/${path}`, undefined, { token });
    expect(answer.status).toBe(status);
  });

  async function putMap(namespace: string, name: string, data: object): Promise<void> {
    const input = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
  }
});

function meshData(tag: string): object {
  const sidecar = `spec: {containers: [{name: istio-proxy, image: "proxy:${tag}"}]}`;
  return { config: JSON.stringify({ policy: 'enabled', templates: { sidecar } }), values: '{}' };
}

function rolesData(role: string): object {
  const RoleARN = `arn:aws:iam::444455556666:role/${role}`;
  return { config: JSON.stringify({ 'shop/default': { RoleARN, Audience: 'sts.amazonaws.com' } }) };
}

/** The server's response for a Pod in `shop`. */
async function patchFor(port: number): Promise<string> {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  };
  const request = {
    uid: '1',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    userInfo: { username: 'test' },
    object,
  };
  const answer = await fetch(`http://127.0.0.1:${port}/mutate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }),
  });
  const { response } = (await answer.json()) as { response: { allowed: boolean; patch?: string } };
  return Buffer.from(response.patch ?? '', 'base64').toString();
}

type Attributes = { verb: string; group?: string; resource: string; namespace?: string; name?: string };

/** All permissions, checked one by one for all kinds of the API server and all namespaces of this test. */
async function grantedTo(user: string, plane: Client): Promise<string[]> {
  const verbs = [...READ, 'create', 'update', 'patch', 'delete', 'deletecollection'];
  const { stdout } = await plane.kubectl(['api-resources', '-o', 'name']);
  // Permissions can refer to kinds that are not installed.
  const attributes = [...stdout.trim().split('\n'), 'proxyconfigs.networking.istio.io']
    // Allowed for everyone.
    .filter((kind) => !/^self.*reviews\./.test(kind))
    .flatMap((kind): Attributes[] => {
      const [resource = '', ...group] = kind.split('.');
      return [...placesOf(resource)].flatMap((place) =>
        verbs.map((verb) => ({ verb, group: group.join('.'), resource, ...place })),
      );
    });
  const granted: string[] = [];
  for (const resourceAttributes of attributes) {
    const spec = { user, groups: ['system:serviceaccounts', 'system:authenticated'], resourceAttributes };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const answer = await plane.request<{ status: { allowed: boolean } }>('POST', path, { spec });
    if (accepted(answer).status.allowed) granted.push(describeAttributes(resourceAttributes));
  }
  // Permission for all names includes each name.
  return granted.filter(
    (each) => !granted.includes(each.replace(/ named .*/, '')) || !each.includes(' named '),
  );
}

function* placesOf(resource: string): Generator<{ namespace?: string; name?: string }> {
  const scopes = [{}, ...NAMESPACES.map((namespace) => ({ namespace }))];
  yield* scopes;
  const names = {
    secrets: ['podgraft-tls', 'other'],
    mutatingwebhookconfigurations: ['podgraft', 'other'],
    validatingwebhookconfigurations: ['podgraft', 'other'],
    configmaps: [...Object.values(MAPS).flat(), 'house', 'other', 'podgraft'],
  }[resource];
  // Webhook configurations are cluster-scoped.
  const named = resource.endsWith('configurations') ? [{}] : scopes;
  for (const name of names ?? []) for (const scope of named) yield { ...scope, name };
}

function describeAttributes({ verb, group, resource, namespace, name }: Attributes): string {
  const kind = group ? `${resource}.${group}` : resource;
  return `${verb} ${kind}${namespace ? ` in ${namespace}` : ''}${name ? ` named ${name}` : ''}`;
}

async function tokenOf(plane: Client): Promise<string> {
  const path = '/api/v1/namespaces/podgraft/serviceaccounts/podgraft/token';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  return accepted(await plane.request<{ status: { token: string } }>('POST', path, body)).status.token;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
