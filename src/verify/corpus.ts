import type { JsonObject } from '../json/json.ts';
import { withSchemeDefaults } from '../kube/typed/round-trip.ts';

/** An object to send, and its title. */
export interface Sample {
  readonly title: string;
  readonly object: JsonObject;
}

/** Pods of every shape that webhooks stumble over, and workloads. All are valid. */
export function corpus(): readonly Sample[] {
  return [...PODS.map(([title, metadata, spec]) => sample(title, pod(metadata, spec))), ...others()];
}

type PodShape = readonly [title: string, metadata: JsonObject, spec: JsonObject];

const APP = { name: 'app', image: 'registry.example.com/app:1.2' };
const HTTP = { httpGet: { path: '/healthz', port: 8080 } };

const PODS: readonly PodShape[] = [
  ['a Pod with nothing but a container', {}, {}],
  ['a Pod with labels and annotations', { labels: { app: 'web' }, annotations: { note: 'x' } }, {}],
  [
    'a Pod with empty maps and lists',
    { labels: {}, annotations: {} },
    {
      containers: [{ ...APP, env: [], ports: [], volumeMounts: [], args: [] }],
      volumes: [],
      initContainers: [],
      tolerations: [],
    },
  ],
  [
    'a Pod with several containers',
    {},
    { containers: [APP, { name: 'second', image: 'b' }, { name: 'third', image: 'c' }] },
  ],
  [
    'a Pod with init containers',
    {},
    {
      initContainers: [
        { name: 'prepare', image: 'a' },
        { name: 'migrate', image: 'b' },
      ],
    },
  ],
  [
    'a Pod with a native sidecar',
    {},
    {
      initContainers: [{ name: 'helper', image: 'a', restartPolicy: 'Always', startupProbe: HTTP }],
    },
  ],
  [
    'a running Pod with an ephemeral container',
    {},
    {
      nodeName: 'node-1',
      ephemeralContainers: [{ name: 'debugger', image: 'busybox', targetContainerName: 'app' }],
    },
  ],
  ['a Pod with a name that is generated', { name: '', generateName: 'web-7f9c-' }, {}],
  [
    'a Pod with env of every kind',
    {},
    {
      containers: [
        {
          ...APP,
          env: [
            { name: 'PLAIN', value: 'a=b,c="d"' },
            { name: 'EMPTY' },
            { name: 'JAVA_TOOL_OPTIONS', value: '-Xmx1g' },
            { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
            { name: 'REFERENCE', value: '$(PLAIN)' },
          ],
          envFrom: [{ configMapRef: { name: 'c' } }],
        },
      ],
    },
  ],
  [
    'a Pod with volumes and mounts',
    {},
    {
      containers: [
        {
          ...APP,
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'data', mountPath: '/sub', subPath: 'x' },
          ],
        },
      ],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'config', configMap: { name: 'c', optional: true } },
      ],
    },
  ],
  [
    'a Pod with resources and probes',
    {},
    {
      containers: [
        {
          ...APP,
          resources: { requests: { cpu: '0.1', memory: '1024Mi' }, limits: { cpu: '1000m', memory: '2Gi' } },
          readinessProbe: HTTP,
          livenessProbe: HTTP,
          lifecycle: { preStop: { sleep: { seconds: 1 } } },
          ports: [
            { name: 'http', containerPort: 8080 },
            { containerPort: 53, protocol: 'UDP' },
          ],
        },
      ],
    },
  ],
  [
    'a Pod under the restricted security standard',
    {},
    {
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          ...APP,
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  ],
  [
    'a Pod on the network of its node',
    {},
    { hostNetwork: true, hostPID: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  ],
  ['a Pod without a token', {}, { automountServiceAccountToken: false, enableServiceLinks: false }],
  [
    'a Pod with tolerations, affinity and pull secrets',
    {},
    {
      tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { disk: 'ssd' },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    },
  ],
  [
    'a Pod with keys that must be escaped',
    { annotations: { 'example.com/a.b': '/~', 'with.dots/x': '<&>' }, labels: { 'a.b/c': 'd' } },
    {},
  ],
  [
    'a mirror Pod',
    { annotations: { 'kubernetes.io/config.mirror': 'abc', 'kubernetes.io/config.source': 'file' } },
    { nodeName: 'node-1' },
  ],
  [
    'a Pod with commands',
    {},
    { containers: [{ ...APP, command: ['sh', '-c'], args: ['echo "$HOME"', ''] }] },
  ],
  ['a Pod of Windows', {}, { os: { name: 'windows' }, nodeSelector: { 'kubernetes.io/os': 'windows' } }],
  ['a Pod with unknown fields', {}, { futureField: { a: [1] }, containers: [{ ...APP, futureField: true }] }],
  [
    'a large Pod',
    { annotations: { big: 'x'.repeat(100_000) } },
    {
      containers: Array.from({ length: 30 }, (_, index) => ({
        name: `app-${index}`,
        image: 'a',
        env: Array.from({ length: 40 }, (_, at) => ({ name: `VARIABLE_${at}`, value: 'x'.repeat(20) })),
      })),
    },
  ],
];

function pod(metadata: JsonObject, spec: JsonObject): JsonObject {
  const { name = 'verify', ...rest } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...(name !== '' && { name }), ...rest },
    spec: { containers: [APP], ...spec },
  };
}

function sample(title: string, object: JsonObject): Sample {
  return { title, object };
}

function others(): Sample[] {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [APP] } };
  const selector = { matchLabels: labels };
  const metadata = { name: 'verify' };
  const job = { template: { spec: { containers: [APP], restartPolicy: 'Never' } } };
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const mounted = { ...APP, volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const workload = (kind: string, spec: JsonObject, apiVersion = 'apps/v1') =>
    sample(`a ${kind}`, { apiVersion, kind, metadata, spec });
  return [
    sample('a Pod with all defaults of the API server', withSchemeDefaults(pod({ labels }, {}))),
    workload('Deployment', { selector, template }),
    workload('ReplicaSet', { selector, template }),
    workload('DaemonSet', { selector, template }),
    workload('StatefulSet', {
      selector,
      serviceName: 'web',
      volumeClaimTemplates: [claim],
      template: { metadata: { labels }, spec: { containers: [mounted] } },
    }),
    workload('Job', job, 'batch/v1'),
    workload('CronJob', { schedule: '0 * * * *', jobTemplate: { spec: job } }, 'batch/v1'),
    sample('a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'value' } }),
    sample('a Service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ port: 80 }] },
    }),
  ];
}
