import type { JsonObject } from '../../../src/json/json.ts';
import type { Random } from '../random.ts';
import { randomProxyConfig } from './installations.ts';

/**
 * `working`: Pods as users and controllers create them, which work when istiod has injected them. `any`: also some that do not, since istiod
 * sends their probes to a port 0 or to a path that never responds, or writes invalid JSON. `wild`: also invalid and unusual annotations.
 */
export type Variety = 'working' | 'any' | 'wild';

export function randomPod(random: Random, variety: Variety): JsonObject {
  const { chance, pick, below } = random;
  const owner = randomOwner(random);
  const container = (name: string) => randomContainer(random, name, variety);
  const initContainers = chance(0.3) ? [container('setup')] : [];
  const containers = [
    container('web'),
    ...(chance(0.3) ? [container('helper')] : []),
    ...(chance(0.15) ? [randomUserProxy(random)] : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...owner.metadata,
      labels: {
        ...owner.labels,
        ...(chance(0.6) && { app: pick(['web', 'other']) }),
        ...(chance(0.2) && { version: `v${below(3)}` }),
        ...(chance(0.2) && { 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/version': '2.1' }),
        ...(chance(0.1) && { 'sidecar.istio.io/inject': pick(['true', 'false']) }),
        ...(chance(0.1) && { 'topology.istio.io/network': 'net-9' }),
        ...(chance(0.1) && { tier: 'batch' }),
      },
      ...(chance(0.8) && { annotations: randomAnnotations(random, variety) }),
    },
    spec: {
      ...(initContainers.length > 0 && { initContainers }),
      containers,
      ...(chance(0.2) && { serviceAccountName: 'shop' }),
      ...(chance(0.1) && { securityContext: { fsGroup: 7, runAsUser: 1000 } }),
      ...(chance(0.05) && { hostNetwork: true }),
      ...(chance(0.1) && { terminationGracePeriodSeconds: 60 }),
      ...(chance(0.1) && { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.10'] } }),
      ...(chance(0.2) && { volumes: [{ name: 'data', emptyDir: {} }] }),
      ...(chance(0.1) && { imagePullSecrets: [{ name: 'mine' }] }),
    },
  } as unknown as JsonObject;
}

function randomOwner({ chance, pick }: Random): { metadata: object; labels: object } {
  if (chance(0.3)) return { metadata: { name: 'alone' }, labels: {} };
  const [kind, apiVersion, name, labels] = pick<[string, string, string, object]>([
    ['ReplicaSet', 'apps/v1', 'web-5d4f8', { 'pod-template-hash': '5d4f8' }],
    ['ReplicaSet', 'apps/v1', 'web5d4f8', { 'pod-template-hash': '5d4f8' }],
    ['ReplicaSet', 'apps/v1', 'web-5d4f8', { 'rollouts-pod-template-hash': '5d4f8' }],
    ['ReplicaSet', 'apps/v1', 'web-other', { 'rollouts-pod-template-hash': '5d4f8' }],
    ['StatefulSet', 'apps/v1', 'db', {}],
    ['DaemonSet', 'apps/v1', 'agent', {}],
    ['Job', 'batch/v1', 'nightly-28471234', {}],
    ['Job', 'batch/v1', '-12345678', {}],
    ['ReplicationController', 'v1', 'dc-1', { deploymentconfig: 'dc' }],
  ]);
  return {
    metadata: {
      generateName: `${name}-`,
      ownerReferences: [{ apiVersion, kind, name, uid: '1', controller: true }],
    },
    labels,
  };
}

function randomContainer({ chance, pick, below }: Random, name: string, variety: Variety): object {
  const port = 8080 + below(3);
  const hasPorts = chance(0.8);
  const portOrName = hasPorts || variety !== 'working' ? 'http' : port;
  const handler = () =>
    pick<object>([
      { httpGet: { path: '/ready', port } },
      { httpGet: { path: '/ready', port: portOrName, scheme: 'HTTPS' } },
      { tcpSocket: { port } },
      { grpc: { port } },
      { exec: { command: ['true'] } },
      { httpGet: { port: 15020 } },
    ]);
  return {
    name,
    image: pick(['web:1.2', 'web', 'reg:5000/web@sha256:abc', 'web:1@sha256:abc']),
    ...(hasPorts && {
      ports: [
        { name: 'http', containerPort: port },
        ...(chance(0.3) ? [{ containerPort: 53, protocol: 'UDP' }] : []),
      ],
    }),
    ...(chance(0.3) && {
      readinessProbe: { ...handler(), periodSeconds: 5, ...(chance(0.3) && { timeoutSeconds: 3 }) },
    }),
    ...(chance(0.2) && { livenessProbe: handler() }),
    ...(chance(0.1) && { startupProbe: handler() }),
    ...(chance(0.1) && {
      lifecycle: {
        preStop: pick<object>([
          { httpGet: { path: '/bye', port } },
          { httpGet: { path: '/bye', port: portOrName } },
          { tcpSocket: { port } },
        ]),
      },
    }),
    ...(chance(0.3) && { env: [{ name: 'A', value: '1' }] }),
    ...(chance(0.3) && { resources: { requests: { cpu: pick(['100m', '0.5', '1e3']) } } }),
    ...(chance(0.2) && { securityContext: { runAsUser: pick([1000, 1337]) } }),
  };
}

/** The user's own settings of the proxy. */
function randomUserProxy({ chance, pick }: Random): object {
  return {
    name: 'istio-proxy',
    image: pick(['auto', 'my/proxy:2']),
    ...(chance(0.3) && { resources: { limits: { cpu: '2' } } }),
    ...(chance(0.3) && {
      env: [
        { name: 'EXTRA', value: 'x' },
        { name: 'POD_NAME', value: 'mine' },
      ],
    }),
    ...(chance(0.3) && { securityContext: { runAsUser: pick([0, 1000, 4000]), runAsGroup: 4000 } }),
    ...(chance(0.2) && { ports: [{ containerPort: 9000 }] }),
    ...(chance(0.2) && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    ...(chance(0.2) && { lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } }),
  };
}

function randomAnnotations(random: Random, variety: Variety): JsonObject {
  const { chance } = random;
  const isBroken = variety !== 'working';
  const ordinary: [string, readonly string[]][] = [
    ['sidecar.istio.io/interceptionMode', ['REDIRECT', 'TPROXY', 'NONE']],
    ['status.sidecar.istio.io/port', ['15020', '15030', ...(isBroken ? ['0'] : [])]],
    ['readiness.status.sidecar.istio.io/initialDelaySeconds', ['0', '3']],
    ['readiness.status.sidecar.istio.io/periodSeconds', ['7']],
    ['readiness.status.sidecar.istio.io/failureThreshold', ['9']],
    ['traffic.sidecar.istio.io/includeOutboundIPRanges', ['*', '10.0.0.0/8', '']],
    ['traffic.sidecar.istio.io/excludeOutboundIPRanges', ['10.1.0.0/16,10.2.0.0/16']],
    ['traffic.sidecar.istio.io/includeInboundPorts', ['*', '80,81', '']],
    ['traffic.sidecar.istio.io/excludeInboundPorts', ['22']],
    ['traffic.sidecar.istio.io/excludeOutboundPorts', ['3306']],
    ['traffic.sidecar.istio.io/excludeInterfaces', ['eth1']],
    ['traffic.sidecar.istio.io/kubevirtInterfaces', ['net1,net2']],
    ['prometheus.istio.io/merge-metrics', ['true', 'false']],
    ['prometheus.io/scrape', ['true', 'false']],
    ['prometheus.io/port', ['8080']],
    ['prometheus.io/path', ['/m']],
    ['prometheus.istio.io/scrape-targets', ['8080:/a,8081', '9000']],
    ['sidecar.istio.io/proxyCPU', ['100m', '1e3']],
    ['sidecar.istio.io/proxyMemoryLimit', ['1Gi']],
    ['sidecar.istio.io/proxyImageType', ['debug', 'distroless', 'default']],
    ['sidecar.istio.io/proxyImage', ['other/proxy:9']],
    ['sidecar.istio.io/rewriteAppHTTPProbers', ['true', 'false']],
    ['sidecar.istio.io/nativeSidecar', ['true', 'false']],
    ['sidecar.istio.io/logLevel', ['debug']],
    ['sidecar.istio.io/userVolume', ['{"mine":{"emptyDir":{}}}']],
    ['sidecar.istio.io/userVolumeMount', ['{"mine":{"mountPath":"/mine"}}']],
    ['sidecar.istio.io/agentLogLevel', ['all:debug']],
    ['inject.istio.io/templates', ['sidecar', 'gateway', 'grpc-agent', 'grpc-simple', 'sidecar,custom']],
    ['resource.opentelemetry.io/service.version', ['7']],
    ['proxy.istio.io/config', [JSON.stringify(randomProxyConfig(random))]],
    ['k8s.v1.cni.cncf.io/networks', ['a,b', '[{"name":"a"}]', ...(isBroken ? ['[]'] : [])]],
    ['kubectl.kubernetes.io/default-container', ['helper']],
  ];
  const odd: [string, readonly string[]][] = [
    ['status.sidecar.istio.io/port', ['x', '65536', ' 15020', '-1']],
    ['readiness.status.sidecar.istio.io/periodSeconds', ['0', '-1', '1.5']],
    ['readiness.status.sidecar.istio.io/failureThreshold', ['0', '+1']],
    ['traffic.sidecar.istio.io/includeOutboundIPRanges', ['10.0.0.0', '10.0.0.0/33', '::/0']],
    ['traffic.sidecar.istio.io/excludeInterfaces', ['eth0,', 'e@1', 'e*', 'eth0 ', '9eth']],
    ['prometheus.io/port', ['http', '15090', '0', '+80', '15020']],
    ['prometheus.istio.io/scrape-targets', [':/a', '15090', 'x', '80:', ' 80:/a , ', '099']],
    ['prometheus_io_port', ['81']],
    ['sidecar.istio.io/proxyCPU', ['much', '1.5', '.5', '1E3', '0x1']],
    ['proxy.istio.io/config', PROXY_CONFIGS],
    ['inject.istio.io/templates', ['', 'none', 'sidecar,', ' sidecar , grpc-simple']],
    ['sidecar.istio.io/userVolume', ['{', '[]', '{"a":1}']],
    ['proxy.istio.io/overrides', ['{}', '{', '{"containers":[{"name":"istio-proxy","image":"x"}]}']],
    ['sidecar.istio.io/status', ['{}', 'x', '{"containers":["web"]}']],
    ['sidecar.istio.io/interceptionMode', ['redirect', '']],
    ['sidecar.istio.io/bootstrapOverride', ['my-config']],
    ['prometheus.istio.io/merge-metrics', ['yes', 'T']],
  ];
  const chosen = [
    ...ordinary.filter(() => chance(0.07)),
    ...(variety === 'wild' ? odd.filter(() => chance(0.07)) : []),
  ];
  const annotations = Object.fromEntries(chosen.map(([key, values]) => [key, random.pick(values)]));
  // Of two spellings, istiod takes one at random: nothing to compare with.
  if ('prometheus.io/port' in annotations) delete annotations.prometheus_io_port;
  return annotations;
}

const PROXY_CONFIGS = [
  '{',
  '[]',
  'null',
  '{discoveryAddress: "$(HOST_IP):15012"}',
  '{proxyMetadata: {A: null}}',
  '{proxyMetadata: {A: 1}}',
  '{statNameLength: 0}',
  '{concurrency: -1}',
  '{concurrency: 1.0}',
  '{concurrency: "2"}',
  '{drainDuration: 1.5s}',
  '{drainDuration: 100ms}',
  '{terminationDrainDuration: 5}',
  '{terminationDrainDuration: 1d}',
  '{interceptionMode: 1}',
  '{interceptionMode: 9}',
  '{interceptionMode: tproxy}',
  '{controlPlaneAuthPolicy: INHERIT}',
  '{tracing: {customTags: {a: null}}}',
  '{tracing: {sampling: often}}',
  '{tracing: {zipkin: {}}}',
  '{status_port: 15025, statusPort: 15026}',
  '{unknown: {a: 1}}',
  '{extraStatTags: [a, null]}',
  '{meshId: .}',
  '{meshId: 5}',
  '{connectionSettings: {profile: EDGE, httpIdleTimeout: 1m}}',
  '{connectionSettings: {httpMaxConcurrentStreams: -1}}',
  'tracing:\n  stackdriver:\n    maxNumberOfAttributes: "5"\n    debug: true\n',
  '{privateKeyProvider: {}}',
  '{proxyHeaders: {metadataExchangeHeaders: {mode: IN_MESH}, preserveHttp1HeaderCase: false}}',
  '{sds: {enabled: true, k8sSaJwtPath: /x}}',
  '{serviceCluster: "", tracingServiceName: CANONICAL_NAME_ONLY}',
];
