import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import { type HookServer, startHookServer } from '../admission-scenarios/hook-server.ts';
import { modelServer } from '../admission-scenarios/model-server.ts';
import { withHooks } from '../admission-scenarios/play.ts';
import { NAMESPACES, randomAdmission } from '../admission-scenarios/random-admission.ts';
import { type RealServer, startRealServer } from '../admission-scenarios/real-server.ts';
import { normalised, warningText } from '../admission-scenarios/reduce.ts';
import type { ScenarioRequest } from '../admission-scenarios/scenario.ts';
import { randomFrom } from '../fuzz/random.ts';

/** `ADMISSION_REQUESTS=3000 npm run test:kubernetes -- admission-differential`; `ADMISSION_SEED` plays others. */
const REQUESTS = Number(process.env.ADMISSION_REQUESTS ?? 300);
const SEED = Number(process.env.ADMISSION_SEED ?? 1);
/** Configurations take a moment to become effective, so several requests share them. */
const TOGETHER = 15;

let hooks: HookServer;
let server: RealServer;
beforeAll(async () => {
  [hooks, server] = await Promise.all([startHookServer(), startRealServer([])]);
  for (const request of preparation()) expect((await server.send(request)).status).toBe(201);
}, 180_000);
afterAll(async () => {
  await Promise.all([hooks?.stop(), server?.stop()]);
});

it(`gives the API server's outcome for ${REQUESTS} random requests`, async () => {
  const different: unknown[] = [];
  for (let set = 0; set * TOGETHER < REQUESTS; set++) {
    const random = randomAdmission(randomFrom(SEED, set), Math.min(TOGETHER, REQUESTS - set * TOGETHER));
    const configurations = random.configurations.map((each) => withHooks(each, { name: '' }, hooks));
    await server.reset();
    const model = modelServer({ users: { admin: ADMIN } });
    for (const request of preparation()) await model.send(request);
    for (const configuration of configurations) {
      const rejected = await server.configure(configuration);
      expect(normalised(model.configure(configuration))).toEqual(normalised(rejected));
    }
    await server.settle();
    for (const request of random.requests) {
      hooks.play(random.hooks);
      const real = await server.send(request);
      const wanted = comparable(
        request,
        { ...real, warnings: real.warnings.map(warningText) },
        hooks.takeCalls(),
      );
      hooks.play(random.hooks);
      const found = comparable(request, await model.send(request), hooks.takeCalls());
      const differences = differencesOf(wanted, found, '');
      if (differences.length > 0) different.push({ seed: SEED, set, request, differences });
    }
  }
  expect(different).toEqual([]);
}, 3_600_000);

const ADMIN = { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] };

/** What both servers have before the first request. */
function preparation(): ScenarioRequest[] {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stored', labels: { app: 'db' } },
    spec: { containers: [{ name: 'app', image: 'nginx' }] },
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'stored', labels: { app: 'db' } },
    spec: {
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: pod.spec },
    },
  };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stored', labels: { app: 'db' } } };
  return Object.entries(NAMESPACES).flatMap(([name, labels]): ScenarioRequest[] => [
    { path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } },
    {
      path: `/api/v1/namespaces/${name}/serviceaccounts`,
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
    },
    { path: `/api/v1/namespaces/${name}/pods`, body: pod },
    { path: `/api/v1/namespaces/${name}/configmaps`, body: map },
    { path: `/apis/apps/v1/namespaces/${name}/deployments`, body: deployment },
  ]);
}

/** Without values that differ between runs. The order of keys does not count. */
function comparable(
  { method }: ScenarioRequest,
  answer: { status: number; body: unknown; warnings: readonly string[]; auditAnnotations: object },
  calls: readonly { hook: string; review: { request: object } }[],
): unknown {
  const seen = calls.map(({ hook, review }) => {
    const { object, oldObject, operation, name, namespace } = review.request as {
      [field: string]: JsonObject;
    };
    return { hook, operation, name, namespace, object: stable(object), oldObject: stable(oldObject) };
  });
  const { status, body, warnings, auditAnnotations } = answer;
  const isDeleted = method === 'DELETE' && status === 200;
  const compared = {
    status,
    // A Status, or the object, which is up to the storage.
    body: isDeleted ? undefined : stable(body as JsonObject),
    warnings,
    auditAnnotations,
    seen,
  };
  return sorted(normalised(compared));
}

function stable(object: JsonObject | null | undefined): unknown {
  if (object === null || object === undefined || object.kind === 'Status' || object.metadata === undefined)
    return object;
  const {
    uid: _,
    creationTimestamp: __,
    resourceVersion: ___,
    managedFields: ____,
    ...metadata
  } = object.metadata as JsonObject;
  return { ...object, metadata };
}

/** The places where two values differ. */
function differencesOf(wanted: unknown, found: unknown, path: string): string[] {
  if (isTree(wanted) && isTree(found)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...keys].flatMap((key) => differencesOf(wanted[key], found[key], `${path}/${key}`));
  }
  if (JSON.stringify(wanted) === JSON.stringify(found)) return [];
  return [`${path}: the server has ${JSON.stringify(wanted)}, the model ${JSON.stringify(found)}`];
}

function isTree(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}
