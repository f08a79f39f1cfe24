import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/json/json.ts';
import { withDefaults } from '../../src/kube/api-defaults.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { accepted } from './client.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

/** Our model of defaults against the API server's own, for random objects. */
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

  it.each(otherKinds)(
    'of a %s in %s are those of the API server',
    async (kind, apiVersion, path, contentOf, allocated) => {
      const scope = path.startsWith('/') ? path.slice(1) : `namespaces/${namespace}/${path}`;
      const root = apiVersion === 'v1' ? '/api' : '/apis';
      for (let seed = 1; seed <= 40; seed++) {
        const content = contentOf(randomOf(seed));
        const metadata = { name: `o${seed}`, ...(content.metadata as JsonObject) };
        const object = { apiVersion, kind, ...content, metadata };
        const stored = await store(`${root}/${apiVersion}/${scope}`, object);
        expect(comparable(stored, allocated), JSON.stringify(object)).toEqual(
          comparable(withDefaults(object), allocated),
        );
      }
    },
  );
});

/** Without generated metadata, empty values, and what is set after webhooks are called. */
function comparable(object: KubeObject, allocated: readonly string[] = []): Json {
  const { labels } = object.metadata;
  const isLeftOut = (key: string, value: unknown) =>
    allocated.includes(key) || value === null || JSON.stringify(value) === '{}';
  const text = JSON.stringify({ ...object, metadata: labels && { labels } }, (key, value) =>
    isLeftOut(key, value) ? undefined : value,
  );
  return JSON.parse(text) as Json;
}

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const PORT = { port: 80, name: 'http' };

/** Kind, version, collection (with `/` if it is not in a namespace), contents, and fields that have a value only when stored. */
const otherKinds: [string, string, string, (random: Random) => JsonObject, (readonly string[])?][] = [
  [
    'Service',
    'v1',
    'services',
    (random) => {
      const type = random.pick([undefined, 'ClusterIP', 'NodePort', 'LoadBalancer']);
      return {
        spec: {
          selector: { app: 'a' },
          ...(type && { type }),
          ports: [
            { ...PORT, ...random.some({ targetPort: random.pick<Json>(['web', 8080]) }) },
            { port: 53, name: 'dns', ...random.some({ protocol: 'UDP' }) },
          ],
          ...random.some({ internalTrafficPolicy: 'Local', externalIPs: ['192.0.2.7'] }),
          ...(type === 'LoadBalancer' && random.some({ allocateLoadBalancerNodePorts: false })),
          ...random.pick<JsonObject>([
            {},
            { sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
            { sessionAffinity: 'ClientIP' },
            { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
          ]),
        },
      };
    },
    ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'nodePort', 'healthCheckNodePort', 'status'],
  ],
  [
    'Service',
    'v1',
    'services',
    () => ({ spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
    ['status'],
  ],
  [
    'PersistentVolumeClaim',
    'v1',
    'persistentvolumeclaims',
    (random) => ({ spec: { ...CLAIM, ...random.some({ volumeMode: 'Block', storageClassName: '' }) } }),
  ],
  [
    'PersistentVolume',
    'v1',
    '/persistentvolumes',
    (random) => ({
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        ...random.some({ persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Filesystem' }),
        ...random.pick<JsonObject>([
          { hostPath: { path: '/a' } },
          { nfs: { server: 'a', path: '/a' } },
          { iscsi: { targetPortal: '192.0.2.1', iqn: 'iqn.2026-01.com.example:a', lun: 0 } },
          { rbd: { monitors: ['a'], image: 'a' } },
        ]),
      },
    }),
    ['lastPhaseTransitionTime', 'storageClassName'],
  ],
  [
    'Secret',
    'v1',
    'secrets',
    (random) => ({ ...random.some({ type: 'example.com/a', data: { a: 'YQ==' } }) }),
  ],
  [
    'LimitRange',
    'v1',
    'limitranges',
    (random) => ({
      spec: {
        limits: [
          {
            type: 'Container',
            ...random.some({
              max: { cpu: '4' },
              min: { cpu: '1', memory: '1Gi' },
              default: { cpu: '2', memory: '2Gi' },
            }),
          },
          { type: 'Pod', max: { cpu: '8' } },
        ],
      },
    }),
  ],
  [
    'Endpoints',
    'v1',
    'endpoints',
    () => ({ subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }),
  ],
  [
    'Namespace',
    'v1',
    '/namespaces',
    (random) => ({ metadata: random.some({ labels: { a: 'b' } }) }),
    ['spec'],
  ],
  [
    'Node',
    'v1',
    '/nodes',
    (random) => ({ status: { capacity: { cpu: '4' }, ...random.some({ allocatable: { cpu: '3' } }) } }),
    ['spec', 'daemonEndpoints', 'nodeInfo'],
  ],
  [
    'PodTemplate',
    'v1',
    'podtemplates',
    (random) => ({ template: { metadata: { labels: { app: 'a' } }, spec: onlySpec(random) } }),
    ['serviceAccount'],
  ],
  [
    'ReplicationController',
    'v1',
    'replicationcontrollers',
    (random) => ({
      metadata: random.some({ labels: { b: 'c' } }),
      spec: {
        template: { metadata: { labels: { app: 'a' } }, spec: onlySpec(random) },
        ...random.some({ selector: { app: 'a' }, replicas: 0 }),
      },
    }),
    ['serviceAccount', 'status'],
  ],
  [
    'StatefulSet',
    'apps/v1',
    'statefulsets',
    (random) => ({
      spec: {
        selector: { matchLabels: { app: 'a' } },
        serviceName: 's',
        template: { metadata: { labels: { app: 'a' } }, spec: onlySpec(random) },
        volumeClaimTemplates: [
          { metadata: { name: 'data' }, spec: { ...CLAIM, ...random.some({ volumeMode: 'Block' }) } },
        ],
      },
    }),
    ['serviceAccount', 'availableReplicas', 'status'],
  ],
  [
    'HorizontalPodAutoscaler',
    'autoscaling/v2',
    'horizontalpodautoscalers',
    (random) => ({
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        maxReplicas: 5,
        ...random.some({
          minReplicas: 2,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
            },
          ],
          behavior: random.some({
            scaleUp: random.some({ selectPolicy: 'Min', stabilizationWindowSeconds: 5 }),
            scaleDown: random.some({ policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] }),
          }),
        }),
      },
    }),
    ['status'],
  ],
  [
    'HorizontalPodAutoscaler',
    'autoscaling/v1',
    'horizontalpodautoscalers',
    (random) => ({
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        maxReplicas: 5,
        ...random.some({ minReplicas: 2, targetCPUUtilizationPercentage: 50 }),
      },
    }),
    ['status'],
  ],
  [
    'NetworkPolicy',
    'networking.k8s.io/v1',
    'networkpolicies',
    (random) => ({
      spec: {
        podSelector: { matchLabels: { app: 'a' } },
        ...random.some({
          policyTypes: ['Egress'],
          egress: [{ ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }],
          ingress: [{ ports: [{ port: 'http' }] }],
        }),
      },
    }),
  ],
  [
    'IngressClass',
    'networking.k8s.io/v1',
    '/ingressclasses',
    (random) => ({
      spec: { controller: 'example.com/a', ...random.some({ parameters: { kind: 'A', name: 'a' } }) },
    }),
  ],
  [
    'EndpointSlice',
    'discovery.k8s.io/v1',
    'endpointslices',
    (random) => ({
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ port: 80, ...random.some({ name: 'a', protocol: 'UDP' }) }],
    }),
  ],
  ...(['RoleBinding', 'ClusterRoleBinding'] as const).map((kind): (typeof otherKinds)[number] => [
    kind,
    'rbac.authorization.k8s.io/v1',
    kind === 'RoleBinding' ? 'rolebindings' : '/clusterrolebindings',
    (random) => ({
      roleRef: {
        kind: 'ClusterRole',
        name: 'view',
        ...random.some({ apiGroup: 'rbac.authorization.k8s.io' }),
      },
      subjects: [
        { kind: 'User', name: 'a' },
        { kind: 'Group', name: 'b', ...random.some({ apiGroup: 'rbac.authorization.k8s.io' }) },
        { kind: 'ServiceAccount', name: 'c', namespace: 'd' },
      ],
    }),
  ]),
  [
    'PriorityClass',
    'scheduling.k8s.io/v1',
    '/priorityclasses',
    (random) => ({ value: 5, ...random.some({ preemptionPolicy: 'Never' }) }),
  ],
  [
    'StorageClass',
    'storage.k8s.io/v1',
    '/storageclasses',
    (random) => ({
      provisioner: 'example.com/a',
      ...random.some({ reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' }),
    }),
  ],
];

function onlySpec(random: Random): JsonObject {
  return { containers: [container(random, 'app')] };
}

/** Without what admission plugins add, other than the ServiceAccount's name and the priority. */
function withoutPlugins(stored: JsonObject): JsonObject {
  const { tolerations: _, ...spec } = asSent(stored) as JsonObject;
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
