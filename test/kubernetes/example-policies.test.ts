import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { groupOf, resourceOf } from '../../src/kube/resource.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import { runManifest } from '../../src/pipeline/run-manifest.ts';
import { readCases } from '../../src/testing/cases.ts';
import { accepted } from './client.ts';
import { keepParams } from './keep-params.ts';
import { createDefaultServiceAccount } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

/*
 * Every policy of examples/policies, three times: in namespaces without anything, to which the object goes as `inject` leaves it; in
 * namespaces with the generated policies; in namespaces with the webhook.
 */

const plane = sharedControlPlane();
const folder = fileURLToPath(new URL('../../examples/policies', import.meta.url));
const names = readdirSync(folder).filter((name) => !name.includes('.'));
type Mode = 'inject' | 'policy' | 'webhook';
const MODES: readonly Mode[] = ['inject', 'policy', 'webhook'];

/** Begins with the name of the namespace, since policies have patterns such as `prod-*`. */
const placeOf = (namespace: string, example: string, mode: Mode) => `${namespace}-${example}-${mode}`;

interface Example {
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly policies: readonly JsonObject[];
}

let username = '';
let server: Podgraft;
let webhook: Registered;
const examples = new Map<string, Example>();

beforeAll(async () => {
  const review = await plane.request<{ status: { userInfo: { username: string } } }>(
    'POST',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  );
  username = accepted(review).status.userInfo.username;
  await keepParams(plane);
  for (const name of ['high', 'low']) {
    accepted(
      await plane.request('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
        metadata: { name },
        value: name === 'high' ? 1000 : 10,
      }),
    );
  }
  const webhookPlaces: string[] = [];
  const injectors: object[] = [];
  for (const name of names) {
    const file = `${folder}/${name}/podgraft.yaml`;
    const { pipeline } = await loadConfig(file);
    const namespaces = await prepare(name);
    const onlyNamespaces = namespaces.map((namespace) => placeOf(namespace, name, 'policy'));
    const { objects: policies, reasons } = policiesOf(pipeline, {
      name: 'example',
      action: 'Deny',
      onlyNamespaces,
    });
    expect(reasons).toEqual([]);
    for (const policy of policies) accepted(await plane.request('POST', pathOf(policy.kind), policy));
    examples.set(name, { name, pipeline, policies });
    webhookPlaces.push(...namespaces.map((namespace) => placeOf(namespace, name, 'webhook')));
    injectors.push(...onlyIn(parse(readFileSync(file, 'utf8')).injectors, name));
  }
  const config = { apiVersion: 'podgraft.dev/v1alpha1', kind: 'Config', injectors };
  server = await startPodgraft(stringify(config), { cluster: plane });
  webhook = await registerMutating(plane, {
    name: 'example-policies',
    url: server.mutateUrl,
    caBundle: server.caBundle,
    reinvocationPolicy: 'IfNeeded',
    rules: [
      {
        apiGroups: ['*'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['pods', 'deployments', 'jobs', 'ingresses', 'serviceaccounts'],
      },
    ],
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: webhookPlaces }],
    },
  });
}, 180_000);

afterAll(async () => {
  for (const { policies } of examples.values()) {
    for (const { kind, metadata } of policies) {
      await plane.request('DELETE', `${pathOf(kind)}/${String((metadata as JsonObject).name)}`);
    }
  }
  await webhook?.remove();
  await server?.stop();
});

const pathOf = (kind: unknown) =>
  `/apis/admissionregistration.k8s.io/v1/${String(kind).toLowerCase().replace(/y$/, 'ie')}s`;

/** One server has all configurations, each for its own namespaces. */
function onlyIn(injectors: readonly JsonObject[], example: string): object[] {
  return injectors.map(({ match = {}, ...entry }) => {
    const { conditions = [], ...others } = match as JsonObject;
    const own = `request.namespace.endsWith('-${example}-webhook')`;
    return { ...entry, match: { ...others, conditions: [...(conditions as string[]), own] } };
  });
}

/** Creates the namespaces of the cases, and the other objects that the policies read. */
async function prepare(example: string): Promise<readonly string[]> {
  const objects = readCases(`${folder}/${example}/cases`).flatMap((testCase) => testCase.objects);
  const labels = new Map(
    objects
      .filter(({ kind }) => kind === 'Namespace')
      .map(({ metadata }) => [metadata.name, metadata.labels]),
  );
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace ?? 'default'))];
  for (const name of [...labels.keys()]) if (name && !namespaces.includes(name)) namespaces.push(name);
  for (const namespace of namespaces) {
    for (const mode of MODES) {
      const name = placeOf(namespace, example, mode);
      const metadata = { name, labels: labels.get(namespace) ?? {} };
      accepted(await plane.request('POST', '/api/v1/namespaces', { metadata }));
      await createDefaultServiceAccount(plane, name);
    }
  }
  for (const object of objects.filter(({ kind }) => kind === 'ConfigMap')) {
    const { namespace } = object.metadata;
    await plane.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    accepted(await plane.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, object));
  }
  return namespaces;
}

/** What the API server would store, or why it refuses. */
async function create(object: JsonObject, namespace: string) {
  const { apiVersion, kind } = object as unknown as KubeObject;
  const ref = resourceOf(groupOf(apiVersion), kind);
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const path = `${root}/namespaces/${namespace}/${ref?.resource}`;
  const metadata: JsonObject = { ...(object.metadata as JsonObject), namespace };
  // Every namespace has its default ServiceAccount.
  const [method, end] = metadata.name === 'default' ? ['PUT', '/default'] : ['POST', ''];
  const answer = await plane.request<JsonObject>(method, `${path}${end}?dryRun=All`, { ...object, metadata });
  const { status: code, body } = answer;
  if (code > 201) return { code, message: body.message };
  const { uid, labels, annotations } = body.metadata as JsonObject;
  // Jobs have the uid in their labels and selector.
  const text = JSON.stringify({ ...body, metadata: { labels, annotations } }).replaceAll(String(uid), 'UID');
  const { spec, ...others } = JSON.parse(text);
  // The plugin DefaultTolerationSeconds adds its own two before policies and webhooks run.
  const tolerations = spec?.tolerations?.map((each: object) => JSON.stringify(each)).toSorted();
  return { code, ...others, spec: { ...spec, tolerations } };
}

/** A token's mount would be added before or after the one under test, depending on which plugin runs first. */
function withoutToken(object: JsonObject): JsonObject {
  if (object.kind !== 'Pod') return object;
  return { ...object, spec: { automountServiceAccountToken: false, ...(object.spec as JsonObject) } };
}

describe.each(names)('%s', (name) => {
  it.each(readCases(`${folder}/${name}/cases`))(
    'gives the same objects through inject, policies and webhook: $name',
    async ({ objects }) => {
      const { pipeline } = examples.get(name) as Example;
      const kinds = pipeline.stages.flatMap(({ match }) => match.kinds);
      const subjects = objects.filter(({ kind }) => kinds.some((ref) => ref !== '*' && ref.kind === kind));
      expect(subjects.length).toBeGreaterThan(0);
      let changed = 0;
      for (const subject of subjects) {
        const { namespace = 'default' } = subject.metadata;
        const object = withoutToken(asJson(subject));
        const request = { operation: 'CREATE', namespace, username, defaults: true } as const;
        const view = filesView(objects);
        const outcome = runManifest(pipeline, object as unknown as KubeObject, request, view);
        if (outcome.patch.length > 0) changed++;
        const injected = await create(asJson(outcome.object), placeOf(namespace, name, 'inject'));
        expect([200, 201]).toContain(injected.code);
        const policy = placeOf(namespace, name, 'policy');
        let found = await create(object, policy);
        // The API server learns of policies with a delay.
        for (let attempt = 0; attempt < 80 && !isDeepStrictEqual(found, injected); attempt++) {
          await sleep(250);
          found = await create(object, policy);
        }
        expect(found).toEqual(injected);
        expect(await create(object, placeOf(namespace, name, 'webhook'))).toEqual(injected);
      }
      expect(changed).toBeGreaterThan(0);
    },
    60_000,
  );
});
