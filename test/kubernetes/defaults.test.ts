import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/json/json.ts';
import { withDefaults } from '../../src/kube/api-defaults.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { accepted } from './client.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

/** Podgraft's model of defaults against the API server's own, for random Pods and workloads. */
describe('defaults', () => {
  const plane = sharedControlPlane();
  const namespace = 'defaults';
  beforeAll(() => createNamespace(plane, namespace));

  const store = async (collection: string, object: KubeObject) =>
    accepted(await plane.request<KubeObject>('POST', `${collection}?dryRun=All`, object));

  it('of Pods are those of the API server', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const spec = podSpec(randomOf(seed));
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${seed}` }, spec };
      const stored = await store(`/api/v1/namespaces/${namespace}/pods`, pod);
      expect(withoutPlugins(stored.spec as JsonObject), JSON.stringify(spec)).toEqual(withDefaults(pod).spec);
    }
  });

  const labels = { app: 'a' };
  const selector = { matchLabels: labels };
  const kinds: [string, string, string, (random: Random, template: JsonObject) => JsonObject][] = [
    [
      'Deployment',
      'apps/v1',
      'deployments',
      (random, template) => ({
        selector,
        template,
        ...random.some({
          replicas: random.pick([0, 3]),
          strategy: random.pick<Json>([
            {},
            { type: 'Recreate' },
            { type: 'RollingUpdate' },
            { rollingUpdate: { maxSurge: 1 } },
          ]),
        }),
      }),
    ],
    [
      'StatefulSet',
      'apps/v1',
      'statefulsets',
      (random, template) => ({
        selector,
        template,
        serviceName: 's',
        ...random.some({
          replicas: 0,
          updateStrategy: random.pick<Json>([
            {},
            { type: 'OnDelete' },
            { type: 'RollingUpdate' },
            { rollingUpdate: { partition: 1 } },
          ]),
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
        }),
      }),
    ],
    [
      'DaemonSet',
      'apps/v1',
      'daemonsets',
      (random, template) => ({
        selector,
        template,
        ...random.some({ updateStrategy: random.pick<Json>([{}, { type: 'OnDelete' }]) }),
      }),
    ],
    ['ReplicaSet', 'apps/v1', 'replicasets', (_, template) => ({ selector, template })],
    [
      'CronJob',
      'batch/v1',
      'cronjobs',
      (random, template) => ({
        schedule: '0 3 * * *',
        jobTemplate: { spec: { template: onFailure(template) } },
        ...random.some({ suspend: true, successfulJobsHistoryLimit: 0 }),
      }),
    ],
  ];
  it.each(kinds)('of a %s are those of the API server', async (kind, apiVersion, resource, specOf) => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomOf(seed);
      const spec = specOf(random, { metadata: { labels }, spec: templateSpec(random) });
      const object = { apiVersion, kind, metadata: { name: `w${seed}` }, spec };
      const stored = await store(`/apis/${apiVersion}/namespaces/${namespace}/${resource}`, object);
      expect(asSent(stored.spec as Json), JSON.stringify(spec)).toEqual(withDefaults(object).spec);
    }
  });

  it('of a Job are those of the API server', async () => {
    for (const settings of [{}, { parallelism: 2 }, { completions: 3 }, { completions: 1, parallelism: 0 }]) {
      const spec = {
        template: onFailure({ spec: { containers: [{ name: 'a', image: 'a' }] } }),
        ...settings,
      };
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec };
      const stored = await store(`/apis/batch/v1/namespaces/${namespace}/jobs`, job);
      // The selector and its labels are generated.
      const { selector: _, template, ...rest } = stored.spec as { selector: Json; template: JsonObject };
      expect({ ...rest, template: { spec: template.spec } }).toEqual(withDefaults(job).spec);
    }
  });
});

/** Without what admission plugins add, other than the ServiceAccount's name. */
function withoutPlugins(stored: JsonObject): JsonObject {
  const { priority: _, preemptionPolicy: __, tolerations: ___, ...spec } = asSent(stored) as JsonObject;
  const isToken = (value: Json) => String((value as JsonObject).name).startsWith('kube-api-access-');
  const without = (object: JsonObject, key: string, change = (value: Json) => value): JsonObject => {
    const { [key]: list, ...rest } = object;
    if (list === undefined) return object;
    const items = (list as Json[]).filter((item) => !isToken(item)).map(change);
    return items.length === 0 ? rest : { ...rest, [key]: items };
  };
  const container = (value: Json) => without(value as JsonObject, 'volumeMounts');
  return without(without(without(spec, 'volumes'), 'containers', container), 'initContainers', container);
}

/** Without the metadata of templates, which is always encoded, and the old name of `serviceAccountName`. */
function asSent(value: Json): Json {
  const text = JSON.stringify(value, (key, each) => {
    if (key === 'serviceAccount') return undefined;
    return key === 'metadata' && Object.keys(each).length === 0 ? undefined : each;
  });
  return JSON.parse(text) as Json;
}

function onFailure(template: JsonObject): JsonObject {
  return { ...template, spec: { ...(template.spec as JsonObject), restartPolicy: 'OnFailure' } };
}

type Random = ReturnType<typeof randomOf>;

function randomOf(seed: number) {
  let state = seed * 2654435761;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
    some: (fields: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(fields).filter(() => next() < 0.4)),
  };
}

const IMAGES = [
  'nginx',
  'nginx:latest',
  'nginx:1.27',
  'reg.example.com:5000/a/b',
  'reg.example.com:5000/a/b:v1',
  `nginx@sha256:${'a'.repeat(64)}`,
  `nginx:latest@sha256:${'a'.repeat(64)}`,
  'UPPER/case',
  'localhost/x',
];

function probe(random: Random): JsonObject {
  const handlers: JsonObject[] = [
    { httpGet: { port: 80, ...random.some({ path: '/x', scheme: 'HTTPS' }) } },
    { tcpSocket: { port: 80 } },
    { grpc: { port: 80 } },
    { exec: { command: ['a'] } },
  ];
  return { ...random.pick(handlers), ...random.some({ timeoutSeconds: 0, periodSeconds: 5 }) };
}

function container(random: Random, name: string): JsonObject {
  return {
    name,
    image: random.pick(IMAGES),
    ...random.some({
      imagePullPolicy: 'Never',
      terminationMessagePath: '/x',
      resources: random.pick<JsonObject>([
        { limits: { cpu: '1', memory: '1Gi' } },
        { limits: { cpu: '1' }, requests: { memory: '1Gi' } },
        { requests: { cpu: '0' } },
      ]),
      ports: [
        { containerPort: 80 },
        { containerPort: 53, protocol: 'UDP', ...random.some({ hostPort: 53 }) },
      ],
      env: [
        { name: 'A', value: 'b' },
        { name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      ],
      securityContext: { runAsNonRoot: true },
    }),
  };
}

function templateSpec(random: Random): JsonObject {
  const app = {
    ...container(random, 'app'),
    ...random.some({
      livenessProbe: probe(random),
      readinessProbe: probe(random),
      lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { exec: { command: ['a'] } } },
    }),
  };
  return {
    containers: [app],
    ...random.some({
      initContainers: [container(random, 'setup')],
      terminationGracePeriodSeconds: 0,
      dnsPolicy: 'Default',
      serviceAccountName: 'default',
      securityContext: { fsGroup: 1 },
      volumes: [
        { name: 'none' },
        { name: 'conf', configMap: { name: 'c', ...random.some({ defaultMode: 0 }) } },
        { name: 'secret', secret: { secretName: 's' } },
        { name: 'host', hostPath: { path: '/x' } },
        {
          name: 'info',
          downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] },
        },
        {
          name: 'all',
          projected: {
            sources: [{ serviceAccountToken: { path: 't' } }, { configMap: { name: 'c' } }],
          },
        },
        {
          name: 'claim',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
        { name: 'image', image: { reference: random.pick(IMAGES.slice(0, 4)) } },
      ],
    }),
  };
}

function podSpec(random: Random): JsonObject {
  return { ...templateSpec(random), ...random.some({ hostNetwork: true, enableServiceLinks: false }) };
}
