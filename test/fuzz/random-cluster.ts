import { filesView } from '../../src/cluster/views/files-view.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import type { ClusterView } from '../../src/sdk/cluster-view.ts';
import { istioTemplates } from './istio-templates.ts';
import { POLICIES } from './policies.ts';
import type { Random } from './random.ts';
import { NAMESPACES } from './random-object.ts';
import { randomText } from './random-text.ts';

/** The objects around a Pod: those of administrators are mostly valid, those of users anything that their schema allows. */
export function randomCluster(random: Random): ClusterView {
  return filesView([
    ...istioObjects(random),
    ...accounts(random),
    ...operatorObjects(random),
    ...owners(),
    ...POLICIES,
    ...NODES,
  ]);
}

/** Everything is valid, so that injectors do all of their work. */
export function usualCluster(): ClusterView {
  const map = (namespace: string, name: string, data: object) =>
    object('v1', 'ConfigMap', namespace, name, { data });
  const receivers = { otlp: { protocols: { grpc: {}, http: {} } } };
  const service = { pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } } };
  return filesView([
    map('istio-system', 'istio-sidecar-injector', {
      config: JSON.stringify({ policy: 'enabled', templates: istioTemplates }),
      values: '{"global":{"hub":"h","tag":"t"},"sidecarInjectorWebhook":{"rewriteAppHTTPProbe":true}}',
    }),
    map('istio-system', 'istio', { mesh: '{}' }),
    ...NAMESPACES.flatMap((namespace) => [
      withLabels(object('v1', 'Namespace', '', namespace, {}), { 'istio-injection': 'enabled' }),
      object('v1', 'ServiceAccount', namespace, 'default', {}),
      withAnnotations(object('v1', 'ServiceAccount', namespace, 'role', {}), {
        'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/r',
      }),
      object('opentelemetry.io/v1alpha1', 'Instrumentation', namespace, 'inst', {
        spec: { exporter: { endpoint: 'http://collector:4317' } },
      }),
      object('opentelemetry.io/v1beta1', 'OpenTelemetryCollector', namespace, 'col', {
        spec: { mode: 'sidecar', config: { receivers, exporters: { debug: {} }, service } },
      }),
    ]),
    ...owners(),
    ...POLICIES,
    ...NODES,
  ]);
}

function object(apiVersion: string, kind: string, namespace: string, name: string, rest: object): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== '' && { namespace }) },
    ...rest,
  } as KubeObject;
}

function istioObjects(random: Random): KubeObject[] {
  const values = {
    global: { hub: 'registry.example', tag: '1', network: random.pick(['', 'n']), proxy: {} },
    sidecarInjectorWebhook: { rewriteAppHTTPProbe: random.chance(0.7) },
  };
  const config = {
    policy: random.pick(['enabled', 'enabled', 'enabled', 'disabled']),
    templates: istioTemplates,
    defaultTemplates: random.pick([['sidecar'], ['sidecar', 'extra']]),
    aliases: { everything: ['sidecar', 'extra'] },
    injectedAnnotations: random.pick([{}, { 'example.com/mesh': 'yes' }]),
  };
  const mesh = random.pick([
    '{}',
    'defaultConfig: {holdApplicationUntilProxyStarts: true}',
    'enablePrometheusMerge: false',
  ]);
  const map = (name: string, data: object) => object('v1', 'ConfigMap', 'istio-system', name, { data });
  const proxyConfig = object('networking.istio.io/v1beta1', 'ProxyConfig', 'team-a', 'p', {
    spec: random.pick<object>([
      {},
      { concurrency: 0 },
      { environmentVariables: { A: randomText(random) } },
      { concurrency: 'x' },
    ]),
  });
  return [
    map('istio-sidecar-injector', { config: JSON.stringify(config), values: JSON.stringify(values) }),
    map('istio', { mesh }),
    ...(random.chance(0.3) ? [proxyConfig] : []),
    ...NAMESPACES.slice(0, 3).map((name) => {
      const namespace = object('v1', 'Namespace', '', name, {});
      const labels = random.pick<object>([
        {},
        { 'istio-injection': 'enabled' },
        { 'istio.io/rev': 'default' },
      ]);
      const annotations = operatorDefaults(random);
      return { ...namespace, metadata: { ...namespace.metadata, labels, annotations } } as KubeObject;
    }),
  ];
}

/** A namespace may request injection for all its Pods. */
function operatorDefaults(random: Random): object {
  return random.pick<object>([
    {},
    {},
    { 'instrumentation.opentelemetry.io/inject-java': 'true' },
    { 'sidecar.opentelemetry.io/inject': 'col' },
    {
      'openshift.io/sa.scc.uid-range': '1000/10',
      'openshift.io/sa.scc.supplemental-groups': randomText(random),
    },
  ]);
}

function accounts(random: Random): KubeObject[] {
  const role = random.pick(['arn:aws:iam::111122223333:role/r', 'r', randomText(random)]);
  const roles = random.pick([
    '{"*/listed":{"RoleARN":"arn:aws:iam::1:role/x","Audience":"sts.amazonaws.com"}}',
    '{"team-a/listed":null,"a":{}}',
    '{"team-a/listed":{"RoleARN":5}}',
    '{"__proto__":{"RoleARN":"x"},"constructor":null}',
    `[${'['.repeat(1000)}`,
    randomText(random),
  ]);
  return NAMESPACES.flatMap((namespace) => [
    object('v1', 'ServiceAccount', namespace, 'default', {}),
    withAnnotations(object('v1', 'ServiceAccount', namespace, 'role', {}), {
      'eks.amazonaws.com/role-arn': role,
      'eks.amazonaws.com/token-expiration': random.pick(['600', '-5', randomText(random)]),
      'eks.amazonaws.com/sts-regional-endpoints': random.pick(['true', 'maybe']),
      'eks.amazonaws.com/audience': random.pick(['sts.amazonaws.com', '', randomText(random)]),
    }),
    object('v1', 'ServiceAccount', namespace, 'listed', {}),
  ]).concat([object('v1', 'ConfigMap', 'eks', 'pod-identity-webhook', { data: { config: roles } })]);
}

function withAnnotations(target: KubeObject, annotations: object): KubeObject {
  return { ...target, metadata: { ...target.metadata, annotations } } as KubeObject;
}

function withLabels(target: KubeObject, labels: object): KubeObject {
  return { ...target, metadata: { ...target.metadata, labels } } as KubeObject;
}

function operatorObjects(random: Random): KubeObject[] {
  return NAMESPACES.slice(0, 3).flatMap((namespace) => [
    object('opentelemetry.io/v1alpha1', 'Instrumentation', namespace, 'inst', {
      spec: instrumentation(random),
    }),
    object('opentelemetry.io/v1beta1', 'OpenTelemetryCollector', namespace, 'col', {
      spec: collector(random),
    }),
  ]);
}

function instrumentation(random: Random): unknown {
  if (random.chance(0.05)) return random.pick([null, {}, [], 5]);
  const env = random.list(3, () =>
    random.pick<unknown>([
      { name: 'A', value: randomText(random) },
      { name: 'JAVA_TOOL_OPTIONS', value: '-Dx' },
      { name: 'OTEL_RESOURCE_ATTRIBUTES', value: 'a=b' },
      ...(random.chance(0.1) ? [{}, null, { name: '' }] : []),
    ]),
  );
  return {
    exporter: { endpoint: random.pick(['http://collector:4317', randomText(random)]) },
    propagators: random.pick<unknown>([['tracecontext'], ['b3', 'x'], null]),
    sampler: random.pick<unknown>([{ type: 'always_on' }, { type: 'x', argument: '1' }, undefined]),
    env,
    java: random.pick<unknown>([
      {},
      { env, extensions: [{ image: 'e', dir: '/e' }] },
      { image: randomText(random) },
      { resources: oddResources(random) },
      { volumeClaimTemplate: oddValue(random) },
      null,
    ]),
    ...(random.chance(0.1) && { initContainerSecurityContext: oddValue(random) }),
    resource: random.pick<unknown>([
      { resourceAttributes: { a: 'b', constructor: randomText(random) }, addK8sUIDAttributes: true },
      {},
      null,
    ]),
    nginx: { configFile: random.pick(['/etc/nginx/nginx.conf', randomText(random)]) },
    apacheHttpd: { configPath: random.pick(['/usr/local/apache2/conf', '/', randomText(random)]) },
    defaults: { useLabelsForResourceAttributes: random.chance(0.5) },
  };
}

function collector(random: Random): unknown {
  if (random.chance(0.05)) return random.pick([null, {}, 5]);
  const receivers = random.pick<unknown>([
    { otlp: { protocols: { grpc: {}, http: null } } },
    {
      constructor: { endpoint: '0.0.0.0:1' },
      'jaeger/a': { protocols: { grpc: { endpoint: randomText(random) } } },
    },
    { 'a/b/c': 5, __proto: null },
    null,
  ]);
  const config = {
    receivers,
    exporters: { debug: {} },
    service: random.pick<unknown>([{}, null, { telemetry: 5 }]),
  };
  const odd = () =>
    random.chance(0.1) ? random.pick<unknown>([[{}], [{ name: 'x' }], [null], null, [oddPart(random)]]) : [];
  return {
    mode: random.pick(['sidecar', 'sidecar', 'sidecar', 'deployment', 'x']),
    config: random.pick<unknown>([config, config, JSON.stringify(config), randomText(random)]),
    args: random.pick<unknown>([{}, { 'feature-gates': 'x' }, undefined]),
    volumes: odd(),
    volumeMounts: odd(),
    env: odd(),
    envFrom: odd(),
    ports: odd(),
    initContainers: odd(),
    resources: random.pick<unknown>([{}, { limits: { cpu: '1' } }, null, oddResources(random)]),
    ...(random.chance(0.1) && { securityContext: oddValue(random) }),
    ...(random.chance(0.1) && { lifecycle: oddValue(random) }),
  };
}

/** An item of any list of a collector: with the members that each requires, and others of any type. */
function oddPart(random: Random): object {
  const part: Record<string, unknown> = { name: 'x', mountPath: '/x', port: 1, containerPort: 1 };
  const fields = [
    'name',
    'image',
    'port',
    'hostPort',
    'subPath',
    'value',
    'valueFrom',
    'secretRef',
    'securityContext',
  ];
  for (const field of random.shuffled(fields).slice(0, random.int(3))) part[field] = oddValue(random);
  return { ...part, ...(random.chance(0.5) && { resources: oddResources(random) }) };
}

function oddResources(random: Random): unknown {
  const amounts = () =>
    random.pick<unknown>([
      { cpu: '2' },
      { cpu: 2 },
      { cpu: oddValue(random) },
      { memory: null },
      oddValue(random),
    ]);
  return random.pick<unknown>([
    { limits: amounts() },
    { requests: amounts(), limits: amounts() },
    oddValue(random),
  ]);
}

function oddValue(random: Random): unknown {
  return random.pick<unknown>([
    null,
    5,
    'x',
    '',
    true,
    {},
    [],
    { toString: 1 },
    { limits: null },
    [null],
    DEEP,
  ]);
}

/** Functions that call themselves for each level overflow the stack. */
const DEEP: unknown = JSON.parse(`${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`);

/** Owners that own themselves and each other. */
function owners(): KubeObject[] {
  const owner = (kind: string, name: string) => ({
    apiVersion: 'apps/v1',
    kind,
    name,
    uid: name,
    controller: true,
  });
  return NAMESPACES.flatMap((namespace) =>
    [
      ['web-5d4f8c7b9', owner('Deployment', 'web')],
      ['web', owner('ReplicaSet', 'web')],
      ['app', owner('ReplicaSet', 'web-5d4f8c7b9')],
    ].map(([name, ref]) => {
      const set = object('apps/v1', 'ReplicaSet', namespace, name as string, { spec: {} });
      return { ...set, metadata: { ...set.metadata, uid: name, ownerReferences: [ref] } } as KubeObject;
    }),
  );
}

const NODES: readonly KubeObject[] = [
  object('v1', 'Node', '', 'node', { status: { nodeInfo: { kubeletVersion: 'v1.33.0' } } }),
];
