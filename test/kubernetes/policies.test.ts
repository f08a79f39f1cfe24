import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { toYaml } from '../../src/kubernetes-yaml.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import { runManifest } from '../../src/pipeline/run-manifest.ts';
import { PodgraftError } from '../../src/podgraft-error.ts';
import { CONDITIONAL_OVERLAYS, SETTINGS } from '../policies/conditional-overlays.ts';
import { OVERLAYS, PODS } from '../policies/overlays.ts';
import { randomConditionalOverlay, randomOverlay } from '../policies/random-overlay.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { keepParams } from './keep-params.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const CLUSTER = filesView([SETTINGS as unknown as KubeObject]);
const READY = 'example.com/ready';
/** Without policies. */
const PLAIN = 'policies-none';

await injector.prepare?.({ variables: { any: 'true' } });

const random = fc.sample(randomOverlay, { seed: 1436, numRuns: 30 });
const conditional = fc.sample(randomConditionalOverlay, { seed: 1436, numRuns: 40 });
const subjects = [
  ...Object.entries(OVERLAYS).map(([title, overlay]) => [title, { overlay }] as const),
  ...Object.entries(CONDITIONAL_OVERLAYS).map(
    ([title, each]) => [`with expressions: ${title}`, each] as const,
  ),
  ...random.map((overlay, index) => [`random ${index + 1}`, { overlay }] as const),
  ...conditional.map((overlay, index) => [`random with expressions ${index + 1}`, { overlay }] as const),
]
  .map(([title, settings], index) => ({
    title,
    namespace: `policies-${index}`,
    ...generate(settings, `policies-${index}`),
  }))
  // Random overlays may contradict themselves.
  .filter(
    ({ title, reasons, isSettled }) => !title.startsWith('random') || (reasons.length === 0 && isSettled),
  );

/** Also with an annotation that shows that the policy is in force. */
function generate(given: JsonObject, namespace: string) {
  const overlay = withMark(given.overlay as JsonObject);
  const settings = { ...given, overlay };
  const pipeline = createPipeline([{ name: namespace, injector, config: injector.config?.(settings) }]);
  const target = { name: 'test', action: 'Deny', onlyNamespaces: [namespace] } as const;
  const isSettled = Object.values(PODS).every((pod) => settles(pipeline, podOf(pod), namespace));
  return { settings, pipeline, isSettled, ...policiesOf(pipeline, target) };
}

function withMark(overlay: JsonObject): JsonObject {
  const { $when: _, ...metadata } = (overlay.metadata ?? {}) as JsonObject;
  const { $when: __, ...annotations } = (metadata.annotations ?? {}) as JsonObject;
  return { ...overlay, metadata: { ...metadata, annotations: { ...annotations, [READY]: 'yes' } } };
}

function settles(pipeline: Pipeline, pod: KubeObject, namespace: string): boolean {
  try {
    runManifest(pipeline, pod, requestIn(namespace), CLUSTER);
    return true;
  } catch (error) {
    if (error instanceof PodgraftError && error.code === 'INJECTOR_UNSETTLED') return false;
    throw error;
  }
}

function requestIn(namespace: string) {
  return { operation: 'CREATE', namespace, username: 'ann', defaults: true } as const;
}

const pathOf = (kind: unknown) =>
  `/apis/admissionregistration.k8s.io/v1/${String(kind).toLowerCase().replace(/y$/, 'ie')}s`;

beforeAll(async () => {
  await keepParams(plane);
  await createNamespace(plane, PLAIN);
  const { namespace: place } = SETTINGS.metadata as { namespace: string };
  await createNamespace(plane, place);
  accepted(await plane.request('POST', `/api/v1/namespaces/${place}/configmaps`, SETTINGS));
  for (const { namespace, objects } of subjects) {
    await createNamespace(plane, namespace);
    for (const object of objects) accepted(await plane.request('POST', pathOf(object.kind), object));
  }
});

afterAll(async () => {
  for (const { objects } of subjects) {
    for (const { kind, metadata } of objects) {
      await plane.request('DELETE', `${pathOf(kind)}/${String((metadata as JsonObject).name)}`);
    }
  }
});

/** A token's mount would be added before or after the one under test, depending on which plugin runs first. */
function podOf(pod: JsonObject): KubeObject {
  const metadata = { ...(pod.metadata as JsonObject | undefined), name: 'web' };
  const spec = { automountServiceAccountToken: false, ...(pod.spec as JsonObject) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec } as unknown as KubeObject;
}

/** What the API server would store, or why it refuses. */
async function create(namespace: string, pod: object) {
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
  const { status, body } = await plane.request<JsonObject>('POST', path, pod);
  if (status !== 201) return { status, reason: body.reason, message: body.message };
  const { labels = {}, annotations = {} } = body.metadata as JsonObject;
  const { tolerations, ...spec } = body.spec as JsonObject;
  // The plugin DefaultTolerationSeconds adds its own two before policies and webhooks run.
  const sorted = (tolerations as JsonObject[]).map((each) => JSON.stringify(each)).toSorted();
  return { status, labels, annotations, spec, tolerations: sorted };
}

let stored = 0;

describe.each(subjects)('overlay $title', ({ namespace, pipeline, reasons }) => {
  it.each(Object.keys(PODS))('gives the same Pod as a policy and through inject: Pod %s', async (name) => {
    expect(reasons).toEqual([]);
    const pod = podOf(PODS[name] as JsonObject);
    const { object } = runManifest(pipeline, pod, requestIn(namespace), CLUSTER);
    const injected = await create(PLAIN, object);
    let found = await eventually(`the policy of ${namespace}`, async () => {
      const created = await create(namespace, pod);
      return (created.status !== 201 || READY in (created.annotations as object)) && created;
    });
    if (injected.status === 201) {
      stored++;
      // The API server learns of policies one by one, and the one that marks the Pod may be the first.
      for (let attempt = 0; attempt < 40 && !isDeepStrictEqual(found, injected); attempt++) {
        await sleep(250);
        found = await create(namespace, pod);
      }
      expect(found).toEqual(injected);
    } else expect(found).toMatchObject({ status: injected.status, reason: injected.reason });
  });
});

it('compares mostly Pods that are stored', () => {
  expect(stored).toBeGreaterThan(30);
});

describe('through the webhook', () => {
  // That one has a key which the configuration does not accept.
  const chosen = subjects.filter(({ title }) => title !== 'labels');
  const placeOf = (namespace: string) => `webhook-${namespace}`;
  let server: Podgraft;
  let registered: Registered;

  beforeAll(async () => {
    const places = chosen.map(({ namespace }) => placeOf(namespace));
    for (const place of places) await createNamespace(plane, place);
    const injectors = chosen.map(({ namespace, settings }) => ({
      name: namespace,
      use: 'overlay',
      match: { namespaces: [placeOf(namespace)] },
      with: settings,
    }));
    const config = { apiVersion: 'podgraft.dev/v1alpha1', kind: 'Config', injectors };
    server = await startPodgraft(toYaml(config), { cluster: plane });
    const { mutateUrl: url, caBundle } = server;
    const among = { key: 'kubernetes.io/metadata.name', operator: 'In', values: places };
    const namespaceSelector = { matchExpressions: [among] };
    registered = await registerMutating(plane, {
      name: 'webhook-policies',
      url,
      caBundle,
      namespaceSelector,
    });
  });

  afterAll(async () => {
    await registered?.remove();
    await server?.stop();
  });

  it.each(chosen)('gives the same Pod: $title', async ({ namespace }) => {
    const place = placeOf(namespace);
    for (const pod of Object.values(PODS).map(podOf)) {
      const text = JSON.stringify(await create(place, pod)).replaceAll(place, namespace);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(await create(namespace, pod))));
    }
  });
});

it('a policy for all kinds gives the same objects as inject, on CREATE and UPDATE', async () => {
  const namespace = 'policies-any-kind';
  await createNamespace(plane, namespace);
  const overlay = { metadata: { labels: { a: 'b', name: { $cel: 'object.metadata.?name' } } } };
  const match = { kinds: ['*'], operations: ['CREATE', 'UPDATE'], namespaces: [namespace] } as const;
  const config = injector.config?.({ overlay });
  const pipeline = createPipeline([{ name: 'any-kind', injector, config, match }]);
  const { objects, reasons } = policiesOf(pipeline, { name: 'test', action: 'Deny' });
  expect(reasons).toEqual([]);
  for (const object of objects) accepted(await plane.request('POST', pathOf(object.kind), object));
  try {
    const pod = podOf({ metadata: { labels: { a: 'own' } }, ...PODS.plain });
    const template = { metadata: { labels: { app: 'web' } }, spec: pod.spec };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
    const subjects: readonly (readonly [string, object])[] = [
      ['/api/v1/namespaces/%/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } }],
      ['/api/v1/namespaces/%/pods', pod],
      [
        '/apis/apps/v1/namespaces/%/deployments',
        { ...deployment, spec: { selector: { matchLabels: { app: 'web' } }, template } },
      ],
    ];
    for (const [path, object] of subjects) {
      const own = path.replace('%', namespace);
      const { object: injected } = runManifest(pipeline, object as KubeObject, requestIn(namespace), CLUSTER);
      const labels = await eventually('the policy for all kinds', async () => {
        const body = accepted(await plane.request<JsonObject>('POST', `${own}?dryRun=All`, object));
        return (body.metadata as JsonObject).labels as JsonObject | undefined;
      });
      expect(labels).toEqual(injected.metadata.labels);
    }
    // An update without the labels adds them again.
    const map = `/api/v1/namespaces/${namespace}/configmaps`;
    accepted(await plane.request('POST', map, { metadata: { name: 'web' } }));
    const update = { metadata: { name: 'web' }, data: { x: 'y' } };
    const updated = accepted(await plane.request<JsonObject>('PUT', `${map}/web`, update));
    expect((updated.metadata as JsonObject).labels).toEqual({ a: 'b', name: 'web' });
  } finally {
    for (const { kind, metadata } of objects) {
      await plane.request('DELETE', `${pathOf(kind)}/${String((metadata as JsonObject).name)}`);
    }
  }
});
