import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { changed, POLICIES, SETTINGS, settings } from '../policies/admission-policies.ts';
import { AUTHORIZER_POLICIES } from '../policies/authorizer-policies.ts';
import { accepted, type Client } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { printed } from './installation.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating, registerValidating } from './register-webhook.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: policies, use: admission-policy, with: {params: [ConfigMap], authorizer: true}}
`;
const DATA = { team: 'till', pool: 'blue', registry: 'reg.example.com/' };
const SHOP = 'shop';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-policies-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Two clusters with the same objects. The API server of the first runs the policies. That of the second only stores them, as if its
 * version had none, and Podgraft runs them, with the permissions that `podgraft manifests` grants.
 */
describe('policies of a cluster', () => {
  let native: ControlPlane;
  let grafted: ControlPlane;
  let podgraft: Podgraft;
  let registered: readonly Registered[] = [];
  const users = new Map<Client, { readonly clerk: string; readonly chief: string }>();

  beforeAll(async () => {
    const options = { authorizationMode: 'RBAC', controllers: false } as const;
    native = await startControlPlane(options);
    const off = '--disable-admission-plugins=MutatingAdmissionPolicy,ValidatingAdmissionPolicy';
    grafted = await startControlPlane({ ...options, apiServerArgs: [off] });
    for (const plane of [native, grafted]) {
      for (const name of [SHOP, SETTINGS.namespace]) await createNamespace(plane, name);
      users.set(plane, await createUsers(plane));
      await put(plane, settings(DATA), ...POLICIES);
    }
    const account = await install(grafted);
    podgraft = await startPodgraft(CONFIG, { cluster: { ...grafted, kubeconfig: account } });
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': SHOP } };
    const { caBundle, mutateUrl, validateUrl } = podgraft;
    const common = { name: 'policies', caBundle, namespaceSelector };
    registered = [
      await registerMutating(grafted, { ...common, url: mutateUrl }),
      await registerValidating(grafted, { ...common, url: validateUrl }),
    ];
    await eventually('the API server runs the policies', async () => {
      const { labels } = await create(native, podOf());
      return labels?.team !== undefined;
    });
  });
  afterAll(async () => {
    for (const each of registered) await each.remove();
    await podgraft?.stop();
    await grafted?.stop();
    await native?.stop();
  });

  /** What both make of a Pod, once it is as expected. */
  const agreed = (what: string, pod: object, expected: object, as?: 'clerk' | 'chief') =>
    eventually(what, async () => {
      const [natively, throughPodgraft] = await Promise.all(
        [native, grafted].map((plane) => create(plane, pod, as && users.get(plane)?.[as])),
      );
      expect(natively).toMatchObject(expected);
      expect(throughPodgraft).toEqual(natively);
      return natively;
    });
  const onBoth = async (change: (plane: Client) => Promise<unknown>) => {
    for (const plane of [native, grafted]) await change(plane);
  };

  it('change a Pod in the same way, by parameters in a ConfigMap', async () => {
    const { spec } = await agreed('the Pod is changed', podOf(), { labels: { team: 'till-s' } });
    expect(spec).toMatchObject({
      nodeSelector: { pool: 'blue' },
      containers: [
        { name: 'app', env: [{ name: 'A', value: '1' }, { name: 'TEAM' }] },
        { name: 'log', env: [{ name: 'TEAM', value: 'till-s' }] },
      ],
    });
  });

  it('leave a Pod alone for the same reason', async () => {
    const { labels } = await agreed('the Pod is left alone', podOf({ metadata: { labels: { plain: '' } } }), {
      status: 201,
    });
    expect(labels).toEqual({ plain: '' });
  });

  it('store the same object', async () => {
    const pods = await Promise.all(
      [native, grafted].map(async (plane) => {
        const path = `/api/v1/namespaces/${SHOP}/pods`;
        accepted(await plane.request('POST', path, podOf({ metadata: { name: 'stored' } })));
        return contentOf(accepted(await plane.request<JsonObject>('GET', `${path}/stored`)));
      }),
    );
    expect(pods[1]).toEqual(pods[0]);
    expect(pods[0]?.labels).toEqual({ team: 'till-s' });
  });

  it('reject a Pod with the same message', async () => {
    const { warnings } = await agreed('the Pod is rejected', podOf({ image: 'docker.io/web:1' }), {
      status: 403,
      message:
        "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'house-registry' with binding 'house-registry' denied request: images must come from reg.example.com/: app",
    });
    expect(warnings).toContain('annotation \\"owner\\" is missing');
  });

  it('warn with the same text', async () => {
    const { warnings } = await agreed('the Pod passes', podOf(), { status: 201 });
    expect(warnings).toContain('annotation \\"owner\\" is missing');
    const owned = await agreed('the Pod passes', podOf({ metadata: { annotations: { owner: 'ann' } } }), {
      status: 201,
    });
    expect(owned.warnings).toBeUndefined();
  });

  it('follow a change of the parameters', async () => {
    await onBoth((plane) => put(plane, settings({ ...DATA, team: 'desk', registry: 'other.example.com/' })));
    await agreed('the new registry is required', podOf(), {
      status: 403,
      message: expect.stringMatching(/images must come from other.example.com\/: app, log$/),
    });
    await onBoth((plane) => put(plane, settings({ ...DATA, team: 'desk' })));
    await agreed('the new team is set', podOf(), { labels: { team: 'desk-s' } });
  });

  it('follow a change of a policy and of a binding', async () => {
    const expression = "Object{metadata: Object.metadata{labels: {'changed': 'yes'}}}";
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
    const policy = changed('MutatingAdmissionPolicy', 'house-team', () => ({ mutations }));
    await onBoth((plane) => put(plane, policy));
    const { labels } = await agreed('the label is another', podOf(), { labels: { changed: 'yes' } });
    expect(labels).toEqual({ changed: 'yes' });
    const denying = changed('ValidatingAdmissionPolicyBinding', 'house-owner', () => ({
      validationActions: ['Deny'],
    }));
    await onBoth((plane) => put(plane, denying));
    await agreed('the owner is required', podOf(), {
      message: expect.stringMatching(/'house-owner' denied request: annotation "owner" is missing$/),
    });
  });

  describe('that use authorizer', () => {
    beforeAll(async () => {
      await onBoth(async (plane) => {
        await put(plane, settings(DATA), ...POLICIES, ...AUTHORIZER_POLICIES);
      });
    });

    it.each([
      ['clerk', { secrets: 'false', map: 'true', till: 'true', metrics: 'false', selected: 'false' }],
      ['chief', { secrets: 'true', map: 'false', till: 'true', metrics: 'false', selected: 'false' }],
    ] as const)('know what the user %s may do', async (as, annotations) => {
      const { annotations: found } = await agreed('the rights are known', podOf(), { annotations }, as);
      if (as === 'chief') expect(found?.reason).toMatch(/^RBAC: allowed by RoleBinding "chief\/shop"/);
    });

    it('know what an administrator may do', async () => {
      const annotations = { secrets: 'true', map: 'true', metrics: 'true', selected: 'true' };
      await agreed('the rights are known', podOf(), { annotations });
    });

    it('require a right', async () => {
      const pod = podOf({ spec: { hostNetwork: true } });
      const message =
        "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'host-network' with binding 'host-network' denied request: only those who may use hostnetworks.example.com may set hostNetwork";
      await agreed('the clerk is rejected', pod, { status: 403, message }, 'clerk');
      await agreed('the chief is not', pod, { status: 201 }, 'chief');
    });

    it('follow a right that is withdrawn', async () => {
      const path = `${RBAC}/namespaces/${SHOP}/rolebindings/chief-hosts`;
      await onBoth(async (plane) => accepted(await plane.request('DELETE', path)));
      await agreed('it is missing', podOf({ spec: { hostNetwork: true } }), { status: 403 }, 'chief');
    });

    it('reject if Podgraft may not ask, and say so', async () => {
      const path = `${RBAC}/clusterroles/podgraft`;
      const { rules } = accepted(await grafted.request<{ rules: { resources: string[] }[] }>('GET', path));
      const others = rules.filter(({ resources }) => !resources.includes('subjectaccessreviews'));
      expect(others).toHaveLength(rules.length - 1);
      accepted(await grafted.request('PATCH', path, { rules: others }));
      const message = await eventually('Podgraft is refused', async () => {
        const created = await create(grafted, podOf());
        return created.status === 403 && created.message;
      });
      expect(message).toContain(
        'cannot ask the cluster whether "admin" may create pods: Cannot create SubjectAccessReview: 403 Forbidden: subjectaccessreviews.authorization.k8s.io is forbidden: User "system:serviceaccount:podgraft:podgraft" cannot create resource "subjectaccessreviews"',
      );
    });
  });
});

interface PodChange {
  readonly metadata?: object;
  readonly spec?: object;
  readonly image?: string;
}

function podOf({ metadata = {}, spec = {}, image = 'reg.example.com/web:1' }: PodChange = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: {
      // A token's volume has a random name.
      automountServiceAccountToken: false,
      containers: [
        { name: 'app', image, env: [{ name: 'A', value: '1' }] },
        { name: 'log', image: 'reg.example.com/log:1' },
      ],
      ...spec,
    },
  };
}

interface Created {
  readonly status: number;
  readonly warnings: string | undefined;
  readonly message?: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly spec?: JsonObject;
}

/** What the API server would store, with its warnings, or why it refuses. */
async function create(plane: Client, pod: object, token = plane.token): Promise<Created> {
  const path = `/api/v1/namespaces/${SHOP}/pods?dryRun=All`;
  const { status, body, headers } = await plane.request<JsonObject>('POST', path, pod, { token });
  const warnings = headers.warning?.toString();
  if (status < 300) return { status, warnings, ...contentOf(body) };
  // A webhook's name comes before the message, and its code is always 403.
  const message = String(body.message).replace(/^admission webhook "[^"]*" denied the request: /, '');
  return { status: status === 422 ? 403 : status, message, warnings };
}

function contentOf({ metadata, spec }: JsonObject): Pick<Created, 'labels' | 'annotations' | 'spec'> {
  const { labels, annotations } = metadata as Readonly<Record<string, Record<string, string>>>;
  return { labels, annotations, spec: spec as JsonObject };
}

/** Creates or replaces the objects. */
async function put(plane: Client, ...items: readonly KubeObject[]): Promise<void> {
  const input = { apiVersion: 'v1', kind: 'List', items };
  const result = await plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input });
  expect(result).toMatchObject({ code: 0 });
}

/** ServiceAccounts that may create Pods and, each, something else. Their tokens. */
async function createUsers(plane: Client) {
  await createNamespace(plane, 'users');
  const pods = { apiGroups: [''], resources: ['pods'], verbs: ['create'] };
  const map = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['house'], verbs: ['update'] };
  const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
  const hosts = { apiGroups: ['example.com'], resources: ['hostnetworks'], verbs: ['use'] };
  await grant(plane, 'clerk', { namespace: 'users', name: 'clerk' }, [pods, map]);
  await grant(plane, 'chief', { namespace: 'users', name: 'chief' }, [pods, secrets]);
  await grant(plane, 'chief-hosts', { namespace: 'users', name: 'chief' }, [hosts]);
  await grant(plane, 'till', { namespace: SHOP, name: 'till' }, [secrets]);
  const [clerk, chief] = await Promise.all(
    ['clerk', 'chief'].map(async (name) => {
      const metadata = { name };
      accepted(await plane.request('POST', '/api/v1/namespaces/users/serviceaccounts', { metadata }));
      return tokenOf(plane, 'users', name);
    }),
  );
  return { clerk: clerk ?? '', chief: chief ?? '' };
}

async function grant(
  plane: Client,
  name: string,
  account: { readonly namespace: string; readonly name: string },
  rules: readonly object[],
): Promise<void> {
  const path = `${RBAC}/namespaces/${SHOP}`;
  const metadata = { name };
  accepted(await plane.request('POST', `${path}/roles`, { metadata, rules }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  accepted(await plane.request('POST', `${path}/rolebindings`, { metadata, roleRef, subjects }));
}

/** Applies what `podgraft manifests` prints, without the webhooks. A kubeconfig of Podgraft's own ServiceAccount. */
async function install(plane: ControlPlane): Promise<string> {
  const config = join(folder, 'podgraft.yaml');
  writeFileSync(config, CONFIG);
  const { items } = JSON.parse(await printed(config, '-o', 'json')) as { items: KubeObject[] };
  const wanted = items.filter(({ kind }) =>
    /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind),
  );
  const input = { apiVersion: 'v1', kind: 'List', items: wanted };
  expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
  const token = await tokenOf(plane, 'podgraft', 'podgraft');
  const file = join(folder, 'account.json');
  writeFileSync(file, kubeconfig({ ...plane, token }));
  return file;
}

async function tokenOf(plane: Client, namespace: string, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const answer = await plane.request<{ status: { token: string } }>('POST', path, { spec: {} });
  return accepted(answer).status.token;
}
