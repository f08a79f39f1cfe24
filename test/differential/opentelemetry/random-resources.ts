import type { Json, JsonObject } from '../../../src/json/json.ts';
import type { KubeObject } from '../../../src/kube/kube-object.ts';
import type { Random } from '../../fuzz/random.ts';

/** An Instrumentation as teams write it. */
export function randomInstrumentation(random: Random, namespace: string, name: string): KubeObject {
  const { chance, pick } = random;
  const env = () =>
    random.some<JsonObject>(
      [
        { name: 'OTEL_LOG_LEVEL', value: 'debug' },
        { name: 'OTEL_METRICS_EXPORTER', value: 'none' },
        { name: 'TEAM', value: 'red' },
        { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      0.2,
    );
  const agent = (resources: string): JsonObject => ({
    ...(chance(0.3) && { image: pick(['registry.example/agent:1', 'agent:2']) }),
    ...(chance(0.4) && { env: env() }),
    ...(chance(0.2) && { [resources]: randomResources(random) }),
    ...(chance(0.15) && { volumeLimitSize: pick(['100Mi', '1Gi']) }),
  });
  const section = (key: string, more: JsonObject = {}): JsonObject =>
    chance(0.5)
      ? { [key]: { ...agent(key === 'java' ? 'resources' : 'resourceRequirements'), ...more } }
      : {};
  const spec: JsonObject = {
    ...(chance(0.8) && { exporter: randomExporter(random) }),
    ...(chance(0.5) && { propagators: random.some(['tracecontext', 'baggage', 'b3', 'xray'], 0.5) }),
    ...(chance(0.4) && {
      sampler: pick<JsonObject>([
        { type: 'always_on' },
        { type: 'parentbased_traceidratio', argument: '0.25' },
        { type: 'traceidratio', argument: '1' },
      ]),
    }),
    ...(chance(0.3) && {
      resource: {
        ...(chance(0.7) && { resourceAttributes: { environment: 'prod', 'service.team': 'red' } }),
        ...(chance(0.5) && { addK8sUIDAttributes: true }),
      },
    }),
    ...(chance(0.2) && { defaults: { useLabelsForResourceAttributes: true } }),
    ...(chance(0.3) && { env: env() }),
    ...(chance(0.2) && { imagePullPolicy: pick(['Always', 'IfNotPresent']) }),
    ...(chance(0.2) && { initContainerSecurityContext: { runAsUser: 1000, runAsNonRoot: true } }),
    ...section('java', chance(0.2) ? { extensions: [{ image: 'extension:1', dir: '/ext' }] } : {}),
    ...section('nodejs'),
    ...section('python'),
    ...section('dotnet'),
    ...section(
      'go',
      chance(0.2) ? { securityContext: { runAsUser: 0, capabilities: { add: ['SYS_PTRACE'] } } } : {},
    ),
    ...section('apacheHttpd', chance(0.2) ? { configPath: '/opt/conf', version: '2.4' } : {}),
    ...section('nginx', chance(0.2) ? { configFile: '/opt/nginx/nginx.conf' } : {}),
  };
  return {
    apiVersion: 'opentelemetry.io/v1alpha1',
    kind: 'Instrumentation',
    metadata: { name, namespace },
    spec,
  } as KubeObject;
}

function randomExporter({ pick }: Random): JsonObject {
  return {
    endpoint: pick(['http://collector:4317', 'http://collector.obs:4318', 'https://collector:4318']),
  };
}

/** Limits are not below requests, whose default is at most 50m and 128Mi. */
function randomResources({ chance }: Random): JsonObject {
  return {
    ...(chance(0.6) && { limits: { cpu: '1', memory: '512Mi' } }),
    ...(chance(0.6) && { requests: { cpu: '100m', memory: '200Mi' } }),
  };
}

/** A collector for sidecars as teams write it. */
export function randomCollector(random: Random, namespace: string, name: string): KubeObject {
  const { chance, pick } = random;
  const receivers = random.shuffled(Object.keys(RECEIVERS)).slice(0, 1 + random.int(3));
  const exporters = random.shuffled(Object.keys(EXPORTERS)).slice(0, 1 + random.int(2));
  const extensions = random.some(Object.keys(EXTENSIONS), 0.3);
  const parts = (names: readonly string[], all: { readonly [name: string]: () => Json }) =>
    Object.fromEntries(names.map((each) => [each, all[each]?.() ?? {}]));
  const pickFrom = (all: Choices) =>
    Object.fromEntries(Object.entries(all).map(([key, values]) => [key, () => pick(values)]));
  const config: JsonObject = {
    receivers: parts(receivers, pickFrom(RECEIVERS)),
    ...(chance(0.4) && {
      processors: { batch: {}, memory_limiter: { check_interval: '1s', limit_percentage: 80 } },
    }),
    exporters: parts(exporters, pickFrom(EXPORTERS)),
    ...(extensions.length > 0 && { extensions: parts(extensions, pickFrom(EXTENSIONS)) }),
    service: {
      ...(extensions.length > 0 && { extensions }),
      ...(chance(0.2) && {
        telemetry: pick<JsonObject>([
          { metrics: { level: 'detailed' } },
          { metrics: { address: '0.0.0.0:8889' } },
          { logs: { level: 'debug' } },
        ]),
      }),
      pipelines: { traces: { receivers, exporters } },
    },
  };
  const spec: JsonObject = {
    mode: 'sidecar',
    config,
    ...(chance(0.3) && { image: 'collector:1' }),
    ...(chance(0.3) && { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    ...(chance(0.2) && { envFrom: [{ configMapRef: { name: 'settings' } }] }),
    ...(chance(0.3) && { resources: randomResources(random) }),
    ...(chance(0.2) && { args: { 'feature-gates': 'a,b' } }),
    ...(chance(0.2) && { imagePullPolicy: 'Always' }),
    ...(chance(0.2) && { securityContext: { runAsUser: 1000 } }),
    ...(chance(0.2) && { ports: [{ name: 'extra', port: 9999, protocol: pick(['TCP', 'UDP']) }] }),
    ...(chance(0.2) && { livenessProbe: { initialDelaySeconds: 5, periodSeconds: 7 } }),
    ...(chance(0.1) && { lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } }),
    ...(chance(0.1) && {
      volumes: [{ name: 'scratch', emptyDir: {} }],
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    }),
    ...(chance(0.1) && { initContainers: [{ name: 'prepare', image: 'prepare:1' }] }),
    ...(chance(0.1) && { configmaps: [{ name: 'rules', mountpath: '/rules' }] }),
  };
  return {
    apiVersion: 'opentelemetry.io/v1beta1',
    kind: 'OpenTelemetryCollector',
    metadata: { name, namespace },
    spec,
  } as KubeObject;
}

interface Choices {
  readonly [component: string]: readonly Json[];
}

const RECEIVERS: Choices = {
  otlp: [
    { protocols: { grpc: {}, http: {} } },
    { protocols: { grpc: null } },
    { protocols: { http: { endpoint: '0.0.0.0:5318' } } },
  ],
  jaeger: [{ protocols: { grpc: {}, thrift_compact: {} } }, { protocols: { thrift_http: null } }],
  zipkin: [{}, { endpoint: '127.0.0.1:9411' }],
  kubeletstats: [{ auth_type: 'serviceAccount' }],
  statsd: [{}, { endpoint: '0.0.0.0:8125' }],
};

const EXPORTERS: Choices = {
  debug: [{}, { verbosity: 'detailed' }, null],
  otlp: [{ endpoint: 'collector.obs:4317', tls: { insecure: true } }],
  prometheus: [{ endpoint: '0.0.0.0:8890' }],
};

const EXTENSIONS: Choices = {
  health_check: [{}, null, { endpoint: '0.0.0.0:13133' }, { path: '/health' }],
  zpages: [{}],
};
