import { beforeAll, describe, expect, it } from 'vitest';
import { pinnedVersions } from '../../tools/kubernetes/cache-folder.mjs';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { nginxDeployment, nginxPod, type Pod } from './pods.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

describe('the control plane', () => {
  const plane = sharedControlPlane();
  const namespace = 'control-plane';
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  beforeAll(() => createNamespace(plane, namespace));

  it('answers kubectl; both have the pinned version', async () => {
    const { code, stdout } = await plane.kubectl(['version', '-o', 'json']);
    expect(code).toBe(0);
    const version = {
      gitVersion: process.env.KUBEBUILDER_ASSETS ? expect.anything() : pinnedVersions().kubernetes,
    };
    expect(JSON.parse(stdout)).toMatchObject({ clientVersion: version, serverVersion: version });
  });

  it('stores a Pod created through REST', async () => {
    accepted(await plane.request('POST', pods, nginxPod('by-rest')));
    const pod = accepted(await plane.request<Pod>('GET', `${pods}/by-rest`));
    expect(pod.spec.containers).toMatchObject([{ name: 'nginx', image: 'nginx' }]);
  });

  it('stores a Pod created with kubectl', async () => {
    const args = ['apply', '-n', namespace, '-f', '-'];
    const result = await plane.kubectl(args, { input: nginxPod('by-kubectl') });
    expect(result).toEqual({ code: 0, stdout: 'pod/by-kubectl created\n', stderr: '' });
    expect((await plane.request('GET', `${pods}/by-kubectl`)).status).toBe(200);
  });

  it('returns the error message of kubectl', async () => {
    const result = await plane.kubectl(['get', 'pod', 'nobody', '-n', namespace]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('pods "nobody" not found') });
  });

  it('changes an object with a merge patch', async () => {
    accepted(await plane.request('POST', pods, nginxPod('patched')));
    const patch = { metadata: { annotations: { a: 'b' } } };
    const pod = accepted(await plane.request<Pod>('PATCH', `${pods}/patched`, patch));
    expect(pod.metadata.annotations).toEqual({ a: 'b' });
  });

  it('creates the Pods of a Deployment', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    accepted(await plane.request('POST', path, nginxDeployment('web', 2)));
    const made = await eventually('two Pods', async () => {
      const query = `${pods}?labelSelector=app%3Dweb`;
      const { items } = accepted(await plane.request<{ items: Pod[] }>('GET', query));
      return items.length === 2 && items;
    });
    for (const pod of made) expect(pod.metadata.generateName).toMatch(/^web-[a-z0-9]+-$/);
  });
});
