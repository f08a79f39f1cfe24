import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { runManifest } from '../../src/pipeline/run-manifest.ts';
import { OVERLAYS, PODS } from '../policies/overlays.ts';
import { randomOverlay } from '../policies/random-overlay.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { startPodgraft } from './podgraft.ts';
import { registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const NO_CLUSTER = { get: () => undefined, list: () => [] };
const READY = 'example.com/ready';
/** Without policies. */
const PLAIN = 'policies-none';

const random = fc.sample(randomOverlay, { seed: 1436, numRuns: 30 });
const subjects = [
  ...Object.entries(OVERLAYS),
  ...random.map((overlay, index) => [`random ${index + 1}`, overlay] as const),
]
  .map(([title, overlay], index) => ({
    title,
    namespace: `policies-${index}`,
    ...generate(overlay, `policies-${index}`),
  }))
  // Random overlays may contradict themselves.
  .filter(({ title, reasons }) => title in OVERLAYS || reasons.length === 0);

/** Also with an annotation that shows that the policy is in force. */
function generate(given: JsonObject, namespace: string) {
  const metadata = (given.metadata ?? {}) as JsonObject;
  const annotations = { ...(metadata.annotations as JsonObject | undefined), [READY]: 'yes' };
  const overlay = { ...given, metadata: { ...metadata, annotations } };
  const pipeline = createPipeline([{ name: namespace, injector, config: injector.config?.({ overlay }) }]);
  const settings = { name: 'test', failClosed: true, action: 'Deny', onlyNamespaces: [namespace] } as const;
  return { overlay, pipeline, ...policiesOf(pipeline, settings) };
}

const pathOf = (kind: unknown) =>
  `/apis/admissionregistration.k8s.io/v1/${String(kind).toLowerCase().replace(/y$/, 'ie')}s`;

beforeAll(async () => {
  await createNamespace(plane, PLAIN);
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

/** A token's mount would be added before or after ours, whichever plugin is first. */
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
  // The plugin DefaultTolerationSeconds adds two of its own before policies and webhooks run.
  const sorted = (tolerations as JsonObject[]).map((each) => JSON.stringify(each)).toSorted();
  return { status, labels, annotations, spec, tolerations: sorted };
}

let stored = 0;

describe.each(subjects)('overlay $title', ({ namespace, pipeline, reasons }) => {
  it.each(Object.keys(PODS))('gives the same Pod as a policy and through inject: Pod %s', async (name) => {
    expect(reasons).toEqual([]);
    const pod = podOf(PODS[name] as JsonObject);
    const request = { operation: 'CREATE', namespace, username: 'ann', defaults: true } as const;
    const injected = await create(PLAIN, runManifest(pipeline, pod, request, NO_CLUSTER).object);
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

it.each(['containers', 'resources', 'places'])(
  'gives the same Pod through the webhook: %s',
  async (title) => {
    const subject = subjects.find((each) => each.title === title);
    if (subject === undefined) throw new Error(title);
    const namespace = `webhook-${subject.namespace}`;
    await createNamespace(plane, namespace);
    const config = {
      apiVersion: 'podgraft.dev/v1alpha1',
      kind: 'Config',
      injectors: [{ name: 'test', use: 'overlay', with: { overlay: subject.overlay } }],
    };
    const server = await startPodgraft(stringify(config), { cluster: plane });
    const { mutateUrl: url, caBundle } = server;
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    const registered = await registerMutating(plane, { name: namespace, url, caBundle, namespaceSelector });
    try {
      for (const pod of Object.values(PODS).map(podOf)) {
        expect(await create(namespace, pod)).toEqual(await create(subject.namespace, pod));
      }
    } finally {
      await registered.remove();
      await server.stop();
    }
  },
);
