import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { withDefaults } from './api-defaults.ts';
import type { KubeObject } from './kube-object.ts';

const defaulted = (apiVersion: string, kind: string, content: JsonObject): JsonObject => {
  const object = { apiVersion, kind, metadata: { name: 'a' }, ...content };
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = withDefaults(object);
  return rest as JsonObject;
};

describe('a Service', () => {
  const specOf = (spec: JsonObject) => defaulted('v1', 'Service', { spec }).spec;

  test('is reached inside the cluster, and its ports lead to the same ports of Pods', () => {
    expect(specOf({ ports: [{ port: 80 }, { port: 53, targetPort: 'dns', protocol: 'UDP' }] })).toEqual({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [
        { port: 80, protocol: 'TCP', targetPort: 80 },
        { port: 53, protocol: 'UDP', targetPort: 'dns' },
      ],
    });
  });

  test.each([
    [{ type: 'NodePort' }, { externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' }],
    [
      { type: 'LoadBalancer' },
      {
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
      },
    ],
    [{ type: 'ExternalName' }, {}],
    [
      { externalIPs: ['192.0.2.1'] },
      { type: 'ClusterIP', externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' },
    ],
  ])('%j has the policies of its type', (spec, added) => {
    expect(specOf(spec)).toEqual({ sessionAffinity: 'None', ...spec, ...added });
  });

  test('has a timeout with session affinity, and no settings without it', () => {
    const config = { clientIP: { timeoutSeconds: 10_800 } };
    expect(specOf({ sessionAffinity: 'ClientIP' })).toMatchObject({ sessionAffinityConfig: config });
    expect(specOf({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } })).not.toHaveProperty(
      'sessionAffinityConfig',
    );
    const own = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } };
    expect(specOf(own)).toMatchObject(own);
  });
});

describe('a HorizontalPodAutoscaler', () => {
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
  };

  test('measures the CPU', () => {
    expect(defaulted('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: {} }).spec).toEqual({
      minReplicas: 1,
      metrics: [cpu],
    });
    expect(defaulted('autoscaling/v1', 'HorizontalPodAutoscaler', { spec: {} }).spec).toEqual({
      minReplicas: 1,
      targetCPUUtilizationPercentage: 80,
    });
  });

  test('keeps a minimum of zero and what it measures', () => {
    const spec = { minReplicas: 0, metrics: [{ type: 'Pods' }] };
    expect(defaulted('autoscaling/v2', 'HorizontalPodAutoscaler', { spec }).spec).toEqual(spec);
  });

  test('has complete rules if it has any', () => {
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    expect(defaulted('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: { behavior } }).spec).toMatchObject(
      {
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [{ value: 4 }, { value: 100 }],
          },
          scaleDown: {
            stabilizationWindowSeconds: 60,
            selectPolicy: 'Max',
            policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
          },
        },
      },
    );
  });
});

test.each<[string, string, JsonObject, JsonObject]>([
  ['v1', 'Secret', {}, { type: 'Opaque' }],
  [
    'v1',
    'PersistentVolumeClaim',
    { spec: {} },
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ],
  [
    'v1',
    'PersistentVolume',
    { spec: { iscsi: {}, hostPath: { path: '/a' } } },
    {
      spec: {
        iscsi: { iscsiInterface: 'default' },
        hostPath: { path: '/a', type: '' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
    },
  ],
  [
    'v1',
    'LimitRange',
    { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Gi' } }, { type: 'Pod' }] } },
    {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Gi' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '2', memory: '1Gi' },
          },
          { type: 'Pod' },
        ],
      },
    },
  ],
  [
    'v1',
    'Endpoints',
    { subsets: [{ ports: [{ port: 80 }] }] },
    { subsets: [{ ports: [{ port: 80, protocol: 'TCP' }] }] },
  ],
  [
    'v1',
    'Node',
    { status: { capacity: { cpu: '4' } } },
    { status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } } },
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    { ports: [{ port: 80 }] },
    { ports: [{ name: '', port: 80, protocol: 'TCP' }] },
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { egress: [{ ports: [{ port: 53 }] }] } },
    { spec: { egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }], policyTypes: ['Ingress', 'Egress'] } },
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: {} }, { spec: { policyTypes: ['Ingress'] } }],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    { spec: { parameters: { kind: 'a' } } },
    { spec: { parameters: { kind: 'a', scope: 'Cluster' } } },
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    { roleRef: { kind: 'Role' }, subjects: [{ kind: 'User' }, { kind: 'ServiceAccount' }] },
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User' }, { kind: 'ServiceAccount' }],
    },
  ],
  ['scheduling.k8s.io/v1', 'PriorityClass', {}, { preemptionPolicy: 'PreemptLowerPriority' }],
  ['storage.k8s.io/v1', 'StorageClass', {}, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
])('%s %s %j has the defaults of the API server', (apiVersion, kind, content, expected) => {
  expect(defaulted(apiVersion, kind, content)).toEqual(expected);
});

test('a Namespace has its name as a label', () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { a: 'b' } } };
  expect(withDefaults(namespace)).toMatchObject({
    metadata: { labels: { a: 'b', 'kubernetes.io/metadata.name': 'shop' } },
    status: { phase: 'Active' },
  });
});

test("the claims of a StatefulSet's Pods are claims", () => {
  const { spec } = defaulted('apps/v1', 'StatefulSet', { spec: { volumeClaimTemplates: [{ spec: {} }] } });
  expect((spec as JsonObject).volumeClaimTemplates).toEqual([
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  ]);
});

test('a Job and a ReplicationController without labels take those of their Pods', () => {
  const workload = (apiVersion: string, kind: string, metadata: object): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'a', ...metadata },
    spec: { template: { metadata: { labels: { app: 'a' } }, spec: {} } },
  });
  expect(withDefaults(workload('batch/v1', 'Job', {})).metadata.labels).toEqual({ app: 'a' });
  expect(withDefaults(workload('batch/v1', 'Job', { labels: { b: 'c' } })).metadata.labels).toEqual({
    b: 'c',
  });
  expect(withDefaults(workload('v1', 'ReplicationController', {}))).toMatchObject({
    metadata: { labels: { app: 'a' } },
    spec: { selector: { app: 'a' } },
  });
});

test('kinds of other groups and versions are left alone', () => {
  for (const [apiVersion, kind] of [
    ['serving.knative.dev/v1', 'Service'],
    ['example.com/v1', 'Secret'],
    ['v1', 'ConfigMap'],
    ['v1', 'constructor'],
  ] as const) {
    const object = { apiVersion, kind, metadata: {}, spec: {} };
    expect(withDefaults(object)).toBe(object);
  }
});

test.each(['Service', 'PersistentVolume', 'LimitRange', 'Namespace', 'Secret', 'Endpoints', 'Node'])(
  'nothing is wrong with a %s whose fields are of other types',
  (kind) => {
    const odd = [
      null,
      5,
      'a',
      [null],
      [5],
      {},
      { ports: [null, 5], limits: [null, { type: 'Container', max: 1 }] },
    ];
    for (const value of odd) {
      const object = { apiVersion: 'v1', kind, metadata: { name: 5 as unknown as string } };
      const whole = { ...object, spec: value, status: value, subsets: value, type: value };
      expect(() => withDefaults(whole)).not.toThrow();
      expect(withDefaults(withDefaults(whole))).toEqual(withDefaults(whole));
    }
  },
);
