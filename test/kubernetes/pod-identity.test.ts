import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { kubeconfigConnection } from '../../src/cluster/client/kubeconfig.ts';
import { createLiveView } from '../../src/cluster/views/live-view.ts';
import { type WatchedFiles, watchFiles } from '../../src/files/watched-files.ts';
import { podIdentity } from '../../src/injectors/pod-identity/pod-identity.ts';
import { readSettings } from '../../src/injectors/pod-identity/settings.ts';
import type { Container, Pod } from '../../src/kube/generated/types.ts';
import { createPipeline, fileSources } from '../../src/pipeline/pipeline.ts';
import { createLog } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { fixedTls } from '../../src/server/tls-source.ts';
import { readCases } from '../../src/testing/cases.ts';
import { makeCertificates } from './certificates.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import { startWebhook } from './webhook-fixture.ts';

const ROLE = 'arn:aws:iam::444455556666:role/reports';

describe('the pod-identity injector', () => {
  const plane = sharedControlPlane();
  const namespace = 'pod-identity';
  const ending = new AbortController();
  const cleanups: (() => Promise<void>)[] = [];
  let folder: string;
  let client: KubeClient;
  let files: WatchedFiles;
  let server: RunningServer;
  let registered: Registered;

  beforeAll(async () => {
    await createNamespace(plane, namespace);
    folder = mkdtempSync(join(tmpdir(), 'podgraft-pod-identity-'));
    const { ca, cert, key } = await makeCertificates(folder);
    const config = readSettings({ watchContainerCredentialsConfig: join(folder, 'identities.json') });
    const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config }]);
    client = createClient(kubeconfigConnection({ path: plane.kubeconfig }));
    const view = createLiveView({ client, reads: pipeline.stages.flatMap(({ reads }) => reads) });
    void view.start(ending.signal);
    await eventually('the view is synced', () => view.synced().synced);
    files = watchFiles(fileSources(pipeline), { onInvalid: () => {} });
    server = await startServer({
      pipeline,
      cluster: view,
      files,
      gather: view.read,
      tls: fixedTls({ cert, key }),
      port: 0,
      host: '127.0.0.1',
      metrics: createMetrics(new Set(['Pod'])),
      log: createLog('silent'),
    });
    registered = await registerMutating(plane, {
      name: 'pod-identity-1',
      url: `https://127.0.0.1:${server.port}/mutate`,
      caBundle: Buffer.from(ca).toString('base64'),
      reinvocationPolicy: 'IfNeeded',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    });
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });
  afterAll(async () => {
    await registered?.remove();
    await server?.drain();
    files?.stop();
    ending.abort();
    client?.close();
    rmSync(folder, { recursive: true });
  });

  const createAccount = async (name: string, annotations = {}, place = namespace) =>
    accepted(
      await plane.request('POST', `/api/v1/namespaces/${place}/serviceaccounts`, {
        metadata: { name, annotations },
      }),
    );
  const createPod = async (serviceAccountName: string, metadata: object = {}) =>
    accepted(
      await plane.request<Pod>('POST', `/api/v1/namespaces/${namespace}/pods`, {
        metadata: { generateName: `${serviceAccountName}-`, ...metadata },
        spec: { serviceAccountName, containers: [{ name: 'web', image: 'nginx' }] },
      }),
    );

  it('injects a Pod whose ServiceAccount was created a millisecond before', async () => {
    for (let round = 0; round < 50; round++) {
      await createAccount(`fresh-${round}`, { 'eks.amazonaws.com/role-arn': `${ROLE}-${round}` });
      const pod = await createPod(`fresh-${round}`);
      expect(envOf(pod.spec?.containers[0])).toEqual({
        AWS_ROLE_ARN: `${ROLE}-${round}`,
        AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/eks.amazonaws.com/serviceaccount/token',
      });
      expect(pod.spec?.volumes?.[0]).toEqual({
        name: 'aws-iam-token',
        projected: {
          defaultMode: 420,
          sources: [
            {
              serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 86400, path: 'token' },
            },
          ],
        },
      });
    }
  });

  it('injects a sidecar of a later webhook when it is called again', async () => {
    const sidecar = { name: 'late', image: 'proxy' };
    const other = await startWebhook(({ object }) => {
      const has = (object as Pod).spec?.containers.some(({ name }) => name === sidecar.name);
      return has ? {} : { patch: [{ op: 'add', path: '/spec/containers/-', value: sidecar }] };
    });
    const { url, caBundle } = other;
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    const theirs = await registerMutating(plane, {
      name: 'pod-identity-2',
      url,
      caBundle,
      namespaceSelector,
    });
    cleanups.push(theirs.remove, other.stop);

    await createAccount('sidecar', { 'eks.amazonaws.com/role-arn': ROLE });
    const pod = await createPod('sidecar');
    expect(pod.spec?.containers.map(({ name }) => name)).toEqual(['web', 'late']);
    for (const container of pod.spec?.containers ?? []) {
      expect(container.env?.map(({ name }) => name)).toEqual(['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE']);
      expect(container.volumeMounts?.filter(({ name }) => name === 'aws-iam-token')).toHaveLength(1);
    }
    expect(pod.spec?.volumes?.filter(({ name }) => name === 'aws-iam-token')).toHaveLength(1);
  });

  it('injects container credentials as soon as the file lists the account', async () => {
    await createAccount('listed', { 'eks.amazonaws.com/role-arn': ROLE });
    expect((await createPod('listed')).metadata.labels).toBeUndefined();
    const identities = [{ namespace, serviceAccount: 'listed' }];
    writeFileSync(join(folder, 'identities.json'), JSON.stringify({ identities }));
    const pod = await eventually('the file is read', async () => {
      const created = await createPod('listed');
      return created.metadata.labels?.['eks.amazonaws.com/pod-identity'] === 'enabled' && created;
    });
    expect(envOf(pod.spec?.containers[0])).toEqual({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE:
        '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount/eks-pod-identity-token',
    });
  });

  it('warns the user about a ServiceAccount without a role', async () => {
    await createAccount('forgotten', { 'eks.amazonaws.com/audience': 'sts.amazonaws.com' });
    const { stderr } = await plane.kubectl(['create', '-n', namespace, '-f', '-'], {
      input: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'forgotten' },
        spec: { serviceAccountName: 'forgotten', containers: [{ name: 'web', image: 'nginx' }] },
      },
    });
    expect(stderr).toBe(
      'Warning: no AWS credentials were injected: ServiceAccount "pod-identity/forgotten" has "eks.amazonaws.com/audience" but no role\n',
    );
  });

  describe('creates Pods that the API server accepts', () => {
    const place = 'pod-identity-cases';
    const pods = readCases(new URL('../../src/injectors/pod-identity/cases/', import.meta.url))
      // The API server rejects new Pods with ephemeral containers, and annotations that are numbers.
      .filter(({ name }) => name !== 'newer-fields' && name !== 'unquoted-annotations')
      .flatMap(({ name, golden }) =>
        [parse(readFileSync(golden, 'utf8'))].flat().flatMap(({ object }) => {
          return object?.kind === 'Pod'
            ? [{ name: `${name}, ${object.metadata.name}`, pod: object as Pod }]
            : [];
        }),
      );
    const send = (pod: Pod) =>
      plane.request<{ message?: string }>('POST', `/api/v1/namespaces/${place}/pods?dryRun=All`, pod);

    beforeAll(async () => {
      await createNamespace(plane, place);
      const names = new Set(pods.map(({ pod }) => pod.spec?.serviceAccountName ?? 'default'));
      for (const name of names) if (name !== 'default') await createAccount(name, {}, place);
    });

    it.each(pods)('$name', async ({ pod }) => {
      accepted(await send(pod));
    });

    it.each([599, 2 ** 32 + 1])('which rejects a token lifetime of %i seconds', async (expirationSeconds) => {
      const serviceAccountToken = { path: 'token', expirationSeconds };
      const { status, body } = await send({
        metadata: { name: 'refused' },
        spec: {
          containers: [{ name: 'web', image: 'nginx' }],
          volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken }] } }],
        },
      });
      expect(status).toBe(422);
      expect(body.message).toContain('expirationSeconds');
    });
  });
});

function envOf(container: Container | undefined): { [name: string]: string | undefined } {
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
}
