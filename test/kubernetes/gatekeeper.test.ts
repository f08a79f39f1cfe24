import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { gatekeeper } from '../../src/injectors/gatekeeper/gatekeeper.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { nginxPod } from './pods.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors: [{name: policies, use: gatekeeper}]
`;

const example = readFileSync(new URL('../../examples/gatekeeper/mutators.yaml', import.meta.url), 'utf8');

describe('the gatekeeper injector', () => {
  const plane = sharedControlPlane();
  const namespace = 'gatekeeper';
  let podgraft: Podgraft;
  let registered: Registered;

  beforeAll(async () => {
    const definitions = { apiVersion: 'v1', kind: 'List', items: gatekeeper.crds?.() };
    expect(await plane.kubectl(['apply', '-f', '-'], { input: definitions })).toMatchObject({ code: 0 });
    const names = (gatekeeper.crds?.() ?? []).map(({ metadata }) => `crd/${metadata.name}`);
    const established = await plane.kubectl(['wait', '--for=condition=Established', ...names]);
    expect(established).toMatchObject({ code: 0 });
    await createNamespace(plane, namespace);
    podgraft = await startPodgraft(CONFIG, { cluster: plane });
    registered = await registerMutating(plane, {
      name: 'gatekeeper',
      url: podgraft.mutateUrl,
      caBundle: podgraft.caBundle,
      reinvocationPolicy: 'IfNeeded',
      rules: [
        {
          apiGroups: [''],
          apiVersions: ['v1'],
          resources: ['pods', 'configmaps'],
          operations: ['CREATE', 'UPDATE'],
        },
      ],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    });
  });
  afterEach(async () => {
    await plane.kubectl(['delete', 'assign,assignmetadata,modifyset,assignimage', '--all']);
  });
  afterAll(async () => {
    await registered?.remove();
    await podgraft?.stop();
    for (const { metadata } of gatekeeper.crds?.() ?? [])
      await plane.kubectl(['delete', 'crd', metadata.name ?? '']);
  });

  const apply = async (...objects: readonly object[]) => {
    const input = { apiVersion: 'v1', kind: 'List', items: objects };
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
  };
  /** The Pod as the API server would store it, and its warnings. */
  const dryRun = async (object: object = nginxPod('web')) => {
    const args = ['create', '-n', namespace, '--dry-run=server', '-o', 'json', '-f', '-'];
    const { code, stdout, stderr } = await plane.kubectl(args, { input: object });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return { object: JSON.parse(stdout) as KubeObject, warnings: stderr };
  };
  const readiness = async () =>
    (await fetch(`http://127.0.0.1:${podgraft.process.metricsPort}/readyz`)).text();

  it('applies a mutator that kubectl has just created, without a restart, and stops when it is deleted', async () => {
    expect((await dryRun()).object.metadata.labels).not.toHaveProperty('cost-centre');
    await apply(label('cost-centre'));
    await eventually('the Pod has the label', async () => {
      const { object } = await dryRun();
      return object.metadata.labels?.['cost-centre'] === 'shop';
    });
    await plane.kubectl(['delete', 'assignmetadata', 'cost-centre']);
    await eventually('the Pod no longer has it', async () => {
      const { object } = await dryRun();
      return object.metadata.labels?.['cost-centre'] === undefined;
    });
  });

  it('changes other kinds of object, on UPDATE too', async () => {
    await apply(label('cost-centre'));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    await eventually('the ConfigMap has the label', async () => {
      const { object } = await dryRun(map);
      return object.metadata.labels?.['cost-centre'] === 'shop';
    });
  });

  it('keeps a sidecar, with its token, when the webhook is called again', async () => {
    await apply(assign('logs', 'spec.containers[name: logs]', { name: 'logs', image: 'logs:1' }));
    const pod = await eventually('the Pod has the sidecar', async () => {
      const { object } = await dryRun();
      const { containers } = object.spec as {
        containers: { name: string; volumeMounts?: { mountPath: string }[] }[];
      };
      return containers.find(({ name }) => name === 'logs');
    });
    expect(pod.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual([
      '/var/run/secrets/kubernetes.io/serviceaccount',
    ]);
  });

  it('reports a conflicting pair and switches both off; deleting one enables the other', async () => {
    await apply(
      assign('as-list', 'spec.containers[name: *].tty', true),
      assign('as-map', 'spec.containers.tty', true),
    );
    const text = 'Assign "as-list" and Assign "as-map" conflict and are switched off';
    await eventually('the readiness shows it', async () => (await readiness()).includes(text));
    const { object, warnings } = await dryRun();
    expect(warnings).toContain(`Warning: ${text}`);
    expect(JSON.stringify(object)).not.toContain('"tty"');
    expect(await podgraft.metrics()).toContain('podgraft_injector_problems{injector="policies"} 1');
    await plane.kubectl(['delete', 'assign', 'as-map']);
    await eventually('the other one is applied', async () => {
      const { object, warnings } = await dryRun();
      return JSON.stringify(object).includes('"tty":true') && warnings === '';
    });
    await eventually(
      'the readiness no longer shows it',
      async () => !(await readiness()).includes('conflict'),
    );
  });

  it('runs the example', async () => {
    await apply(...parseAllDocuments(example).map((document) => document.toJS() as object));
    await eventually('the image comes from the mirror', async () => {
      const { object } = await dryRun();
      return JSON.stringify(object).includes('"image":"mirror.example.com/');
    });
  });

  it.each([
    [
      'an unknown operation',
      { applyTo: [{ groups: [''], versions: ['v1'], kinds: ['Pod'], operations: ['DELETE'] }] },
    ],
    ['a pattern with a star inside', { match: { namespaces: ['a*b'] } }],
  ])('has definitions that reject %s', async (_, spec) => {
    const object = assign('bad', 'spec.hostname', 'x');
    const input = { ...object, spec: { ...object.spec, ...spec } };
    expect((await plane.kubectl(['create', '-f', '-'], { input })).code).toBe(1);
  });
});

function assign(name: string, location: string, value: unknown) {
  const applyTo = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];
  const spec = { applyTo, location, parameters: { assign: { value } } };
  return { apiVersion: 'mutations.gatekeeper.sh/v1', kind: 'Assign', metadata: { name }, spec };
}

function label(name: string) {
  const spec = { location: `metadata.labels.${name}`, parameters: { assign: { value: 'shop' } } };
  return { apiVersion: 'mutations.gatekeeper.sh/v1beta1', kind: 'AssignMetadata', metadata: { name }, spec };
}
