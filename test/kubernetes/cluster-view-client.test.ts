import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { inClusterConnection } from '../../src/cluster/client/find-connection.ts';
import { kubeconfigConnection } from '../../src/cluster/client/kubeconfig.ts';
import { builtin } from '../../src/kube/resource.ts';
import { accepted } from './client.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

describe('the client of a real API server', () => {
  const plane = sharedControlPlane();
  const namespace = 'cluster-client';
  const ref = builtin('Secret');
  const target = { ref, namespace, name: 'tls' };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'tls' },
    data: { a: 'YQ==' },
  };
  let client: KubeClient;
  beforeAll(async () => {
    await createNamespace(plane, namespace);
    client = createClient(kubeconfigConnection({ path: plane.kubeconfig }));
  });
  afterAll(() => client?.close());

  it('creates, gets, replaces and patches', async () => {
    expect(await client.get(target)).toBeUndefined();
    const created = await client.create(ref, secret);
    await expect(client.create(ref, secret)).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });

    const updated = await client.update(ref, { ...created, data: { b: 'Yg==' } });
    expect(updated.data).toEqual({ b: 'Yg==' });
    // With the resourceVersion from before the update.
    await expect(client.update(ref, created)).rejects.toMatchObject({ status: 409, reason: 'Conflict' });

    await client.patch(target, [
      { op: 'remove', path: '/data/b' },
      { op: 'add', path: '/data/d', value: 'ZA==' },
    ]);
    expect((await client.get(target))?.data).toEqual({ d: 'ZA==' });
  });

  it('passes on why the server rejects an object', async () => {
    const bad = { ...secret, metadata: { namespace, name: 'NOT A NAME' } };
    await expect(client.create(ref, bad)).rejects.toMatchObject({
      status: 422,
      reason: 'Invalid',
      message: expect.stringContaining('Cannot create Secret "cluster-client/NOT A NAME": 422 Invalid: '),
    });
  });

  it("authenticates as a Pod's ServiceAccount by its mounted token", async () => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`;
    const answer = accepted(await plane.request<{ status: { token: string } }>('POST', path, {}));
    const folder = mkdtempSync(join(tmpdir(), 'podgraft-mounted-'));
    const mounted = { token: answer.status.token, 'ca.crt': plane.ca, namespace };
    for (const [name, content] of Object.entries(mounted)) writeFileSync(join(folder, name), content);
    const { hostname, port } = new URL(plane.url);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const inside = createClient(inClusterConnection({ env, folder }));
    try {
      const review = builtin('SelfSubjectReview');
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
      const { status } = await inside.create(review, body);
      expect(status).toMatchObject({ userInfo: { username: `system:serviceaccount:${namespace}:default` } });
    } finally {
      inside.close();
      rmSync(folder, { recursive: true });
    }
  });
});
