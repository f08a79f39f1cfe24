import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, SIDECAR, startPodgraft } from './podgraft.ts';
import { nginxDeployment, nginxPod, type Pod } from './pods.ts';
import { type Registered, registerMutating, registerValidating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import { startWebhook } from './webhook-fixture.ts';

const plane = sharedControlPlane();
const inNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const podsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
const STAMPED = { 'injected-by': 'my-webhook' };

describe('the annotation of the README example', () => {
  const namespace = 'stamped';
  let server: Podgraft;
  let registered: Registered;
  beforeAll(async () => {
    await createNamespace(plane, namespace);
    server = await startPodgraft(STAMP, { cluster: plane });
    const { mutateUrl: url, caBundle } = server;
    registered = await registerMutating(plane, {
      name: 'stamp',
      url,
      caBundle,
      namespaceSelector: inNamespace(namespace),
    });
  });
  afterAll(async () => {
    await registered?.remove();
    await server?.stop();
  });

  const apply = (object: object, ...flags: string[]) =>
    plane.kubectl(['apply', '-n', namespace, '-f', '-', ...flags], { input: JSON.stringify(object) });

  it('is added to a Pod applied with kubectl; a second apply changes nothing', async () => {
    const pod = { ...nginxPod('myapp'), metadata: { name: 'myapp' } };
    expect(await apply(pod)).toMatchObject({ code: 0, stdout: 'pod/myapp created\n' });
    const stored = accepted(await plane.request<Pod>('GET', `${podsOf(namespace)}/myapp`));
    expect(stored.metadata.annotations).toMatchObject(STAMPED);
    expect(await apply(pod)).toMatchObject({ code: 0, stdout: 'pod/myapp unchanged\n' });
  });

  it('is shown by a dry run, which stores nothing', async () => {
    const { stdout } = await apply(nginxPod('dry'), '--dry-run=server', '-o', 'json');
    expect((JSON.parse(stdout) as Pod).metadata.annotations).toMatchObject(STAMPED);
    expect((await plane.request('GET', `${podsOf(namespace)}/dry`)).status).toBe(404);
  });

  it('is added to the Pods of a Deployment, which the controller creates without a name', async () => {
    await apply(nginxDeployment('web', 3));
    const pods = await eventually('three Pods', async () => {
      const { items } = accepted(
        await plane.request<{ items: Pod[] }>('GET', `${podsOf(namespace)}?labelSelector=app%3Dweb`),
      );
      return items.length === 3 && items;
    });
    for (const { metadata } of pods) {
      expect(metadata.annotations).toMatchObject(STAMPED);
      expect(metadata.generateName).toMatch(/^web-/);
    }
  });

  it('preserves a large Pod with unknown fields', async () => {
    const pod = {
      ...nginxPod('large'),
      metadata: { name: 'large', annotations: { a: 'x'.repeat(200 * 1024) } },
      spec: {
        containers: Array.from({ length: 200 }, (_, index) => ({
          name: `c${index}`,
          image: 'nginx',
          env: [{ name: 'INDEX', value: String(index) }],
        })),
        brandNewField: 'of a later version',
      },
    };
    const created = accepted(await plane.request<Pod>('POST', podsOf(namespace), pod));
    expect(created.metadata.annotations).toMatchObject({ ...STAMPED, a: pod.metadata.annotations.a });
    expect(created.spec.containers).toHaveLength(200);
    expect(created.spec.containers.at(-1)).toMatchObject({ env: [{ name: 'INDEX', value: '199' }] });
  });

  it("lets the user read the API server's own message about a Pod without containers, which arrives as null", async () => {
    const other = await startWebhook(() => ({}));
    const seen = await registerMutating(plane, {
      name: 'z-seen',
      url: other.url,
      caBundle: other.caBundle,
      namespaceSelector: inNamespace(namespace),
    });
    try {
      for (const spec of [{}, { containers: null }, { containers: [] }]) {
        const pod = { metadata: { name: 'none' }, spec };
        const { status, body } = await plane.request<{ message: string }>('POST', podsOf(namespace), pod);
        expect(status).toBe(422);
        expect(body.message).toContain('spec.containers: Required value');
        expect(other.calls.at(-1)).toMatchObject({
          object: { spec: { containers: spec.containers ?? null } },
        });
      }
      // The other webhook is called after Podgraft, which has let all three pass.
      expect(await server.metrics()).toContain('verdict="unmatched",operation="CREATE",kind="Pod"} 3');
    } finally {
      await seen.remove();
      await other.stop();
    }
  });

  it('preserves an object of 900 KiB', async () => {
    // A ConfigMap, because API validation limits the annotations of a Pod to 256 KiB.
    const data = { text: 'y'.repeat(900 * 1024) };
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
    ];
    const own = await startPodgraft(
      STAMP.replace('use: metadata', 'use: metadata\n    match: {kinds: [ConfigMap]}'),
    );
    const { mutateUrl: url, caBundle } = own;
    const configMaps = await registerMutating(plane, {
      name: 'large',
      url,
      caBundle,
      rules,
      namespaceSelector: inNamespace(namespace),
    });
    try {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const stored = accepted(
        await plane.request<Pod & { data: typeof data }>('POST', path, { metadata: { name: 'large' }, data }),
      );
      expect(stored.data).toEqual(data);
      expect(stored.metadata.annotations).toMatchObject(STAMPED);
    } finally {
      await configMaps.remove();
      await own.stop();
    }
  });
});

describe('reinvocation', () => {
  const namespace = 'reinvoked';

  it('injects a container that a later webhook adds, without duplicates', async () => {
    await createNamespace(plane, namespace);
    const server = await startPodgraft(SIDECAR, { cluster: plane });
    const later = await startWebhook((request) => {
      const { spec } = request.object as Pod;
      if (spec.containers.some(({ name }) => name === 'late')) return {};
      return { patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'late', image: 'late:1' } }] };
    });
    const common = { namespaceSelector: inNamespace(namespace), reinvocationPolicy: 'IfNeeded' } as const;
    const registrations = [
      await registerMutating(plane, {
        name: 'a-podgraft',
        url: server.mutateUrl,
        caBundle: server.caBundle,
        ...common,
      }),
      await registerMutating(plane, { name: 'b-later', url: later.url, caBundle: later.caBundle, ...common }),
    ];
    try {
      const created = accepted(await plane.request<Pod>('POST', podsOf(namespace), nginxPod('web')));
      expect(created.spec.containers.map(({ name }) => name)).toEqual(['nginx', 'proxy', 'late']);
      for (const container of created.spec.containers) {
        expect(container).toMatchObject({ env: [{ name: 'REGION', value: 'eu' }] });
        expect(JSON.stringify(container).match(/"\/scratch"/g)).toHaveLength(1);
      }
      const calls = /podgraft_reviews_total\{injector="sidecar".*\} (\d+)/.exec(await server.metrics());
      expect(Number(calls?.[1])).toBe(2);
    } finally {
      for (const registration of registrations) await registration.remove();
      await later.stop();
      await server.stop();
    }
  });
});

describe('the final check', () => {
  const namespace = 'checked';

  it('denies a Pod from which another webhook removed an injection, and names injector and path', async () => {
    await createNamespace(plane, namespace);
    const server = await startPodgraft(STAMP, { cluster: plane });
    const thief = await startWebhook(() => ({
      patch: [{ op: 'remove', path: '/metadata/annotations/injected-by' }],
    }));
    const { caBundle } = server;
    const namespaceSelector = inNamespace(namespace);
    const registrations = [
      await registerMutating(plane, {
        name: 'a-podgraft',
        url: server.mutateUrl,
        caBundle,
        namespaceSelector,
      }),
      await registerMutating(plane, {
        name: 'b-thief',
        url: thief.url,
        caBundle: thief.caBundle,
        namespaceSelector,
      }),
      await registerValidating(plane, {
        name: 'podgraft',
        url: server.validateUrl,
        caBundle,
        namespaceSelector,
      }),
    ];
    try {
      const refused = await plane.kubectl(['apply', '-n', namespace, '-f', '-'], {
        input: JSON.stringify(nginxPod('web')),
      });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('injector "stamp" would still change "/metadata/annotations');
      await registrations.splice(1, 1)[0]?.remove();
      const stored = accepted(await plane.request<Pod>('POST', podsOf(namespace), nginxPod('web')));
      expect(stored.metadata.annotations).toMatchObject(STAMPED);
    } finally {
      for (const registration of registrations) await registration.remove();
      await thief.stop();
      await server.stop();
    }
  });
});

describe('failurePolicy', () => {
  const namespace = 'failing';
  beforeAll(() => createNamespace(plane, namespace));

  it.each([
    ['Ignore', 201],
    ['Fail', 500],
  ] as const)(
    '%s: without the server, creating a Pod returns %i; injection resumes once it is back',
    async (failurePolicy, status) => {
      const first = await startPodgraft(STAMP, { cluster: plane });
      const { mutateUrl: url, caBundle, port } = first;
      const name = failurePolicy.toLowerCase();
      const registered = await registerMutating(plane, {
        name,
        url,
        caBundle,
        failurePolicy,
        namespaceSelector: inNamespace(namespace),
      });
      const create = (pod: string) =>
        plane.request<Pod>('POST', podsOf(namespace), nginxPod(`${name}-${pod}`));
      let second: Podgraft | undefined;
      try {
        expect(accepted(await create('up')).metadata.annotations).toMatchObject(STAMPED);
        await first.process.stop('SIGKILL');
        const down = await create('down');
        expect(down.status).toBe(status);
        if (status === 201) expect(down.body.metadata.annotations).not.toMatchObject(STAMPED);

        const { certificates } = first;
        second = await startPodgraft(STAMP, { cluster: plane, port, certificates });
        expect(accepted(await create('again')).metadata.annotations).toMatchObject(STAMPED);
      } finally {
        await registered.remove();
        await second?.stop();
        await first.stop();
      }
    },
  );
});
