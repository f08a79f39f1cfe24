import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { builtin } from '../../src/kube/resource.ts';
import { type Registration, startRegistration } from '../../src/registration/start-registration.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';

const namespace = 'podgraft';
const secrets = `/api/v1/namespaces/${namespace}/secrets`;
const admission = '/apis/admissionregistration.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;
const resources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

describe('self-managed certificates with minimal permissions', () => {
  let plane: ControlPlane;
  let client: KubeClient;
  let registration: Registration | undefined;
  const problems: object[] = [];

  beforeAll(async () => {
    plane = await startControlPlane({ authorizationMode: 'RBAC', controllers: false });
    await createNamespace(plane, namespace);
    await grant(plane);
    for (const [index, kind] of kinds.entries()) {
      accepted(await plane.request('POST', `${admission}/${resources[index]}`, configuration(kind)));
    }
    const token = await tokenOf(plane, 'default');
    const credentials = { current: async () => ({ token }), refused() {} };
    client = createClient({ server: new URL(plane.url), tls: { ca: plane.ca }, credentials });
  });
  afterAll(async () => {
    await registration?.stop();
    client.close();
    await plane.stop();
  });

  const caBundles = async () => {
    const paths = resources.map((resource) => `${admission}/${resource}/podgraft`);
    const answers = await Promise.all(paths.map((path) => plane.request<Configuration>('GET', path)));
    return answers.map((answer) => accepted(answer).webhooks[0]?.clientConfig.caBundle);
  };

  it('create the Secret, update both configurations, and react at once when the Secret is deleted', async () => {
    const problem = (fields: object) => void problems.push(fields);
    registration = await startRegistration({
      client,
      namespace,
      secretName: 'podgraft-tls',
      serviceName: 'podgraft',
      webhookConfigurations: kinds.map((kind) => ({ kind, name: 'podgraft' })),
      // No poll happens during the test, so that only the watch can report changes.
      lifetimes: { pollMs: 600_000, graceMs: 1_200_000 },
      log: { info() {}, warn: problem, error: problem },
      onCertificate() {},
    });
    const [first, second] = await eventually('both have a bundle', async () => {
      const found = await caBundles();
      return found.every((each) => each !== undefined) && found;
    });
    expect(second).toBe(first);

    accepted(await plane.request('DELETE', `${secrets}/podgraft-tls`));
    await eventually('it is there again', async () => {
      const { status } = await plane.request('GET', `${secrets}/podgraft-tls`);
      return status === 200;
    });
    await eventually('another CA is trusted', async () => (await caBundles())[1] !== first);
    expect(problems).toEqual([]);
  });

  it('cannot read another Secret', async () => {
    const target = { ref: builtin('Secret'), namespace, name: 'other' };
    await expect(client.get(target)).rejects.toMatchObject({ status: 403 });
  });
});

type Configuration = { webhooks: { clientConfig: { caBundle?: string } }[] };

/** Exactly the permissions that the registration needs. `create` cannot be limited to a name. */
async function grant(plane: ControlPlane): Promise<void> {
  const metadata = { name: 'podgraft-certificates' };
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }];
  const apiGroup = 'rbac.authorization.k8s.io';
  const post = async (path: string, body: object) =>
    accepted(await plane.request('POST', `${rbac}${path}`, body));
  await post(`/namespaces/${namespace}/roles`, {
    metadata,
    rules: [
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['podgraft-tls'],
        verbs: ['get', 'watch', 'update'],
      },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    ],
  });
  await post(`/namespaces/${namespace}/rolebindings`, {
    metadata,
    subjects,
    roleRef: { apiGroup, kind: 'Role', ...metadata },
  });
  await post('/clusterroles', {
    metadata,
    rules: [
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources,
        resourceNames: ['podgraft'],
        verbs: ['get', 'watch', 'patch'],
      },
    ],
  });
  await post('/clusterrolebindings', {
    metadata,
    subjects,
    roleRef: { apiGroup, kind: 'ClusterRole', ...metadata },
  });
}

async function tokenOf(plane: ControlPlane, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = accepted(await plane.request<{ status: { token: string } }>('POST', path, body));
  return answer.status.token;
}

function configuration(kind: string) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'podgraft' },
    webhooks: [
      {
        name: 'pods.podgraft.test',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        clientConfig: { service: { name: 'podgraft', namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
      },
    ],
  };
}
