/** One object for each fault found, with similar ones. Small ones: `large-objects.ts` has the large ones. */
export interface CorpusEntry {
  readonly name: string;
  readonly object: object;
}

const web = { name: 'web', image: 'nginx:1' };

function pod(annotations: object, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations, ...metadata },
    spec: { containers: [web], ...spec },
  };
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const proxyConfig = (text: string) => pod({ 'proxy.istio.io/config': text });
const overrides = (text: string) => pod({ 'proxy.istio.io/overrides': text });
const templates = (names: string) => pod({ 'inject.istio.io/templates': names, 'filebeat.enabled': 'true' });
const owner = (name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name, controller: true }],
});
const java = { 'instrumentation.opentelemetry.io/inject-java': 'true' };

export const CORPUS: readonly CorpusEntry[] = [
  {
    name: 'an endless loop: a resource annotation without a name',
    object: pod(
      { 'resource.opentelemetry.io/': '', 'instrumentation.opentelemetry.io/inject-sdk': 'true' },
      { containers: [{ ...web, env: [{ name: 'OTEL_RESOURCE_ATTRIBUTES', value: 'a=b' }] }] },
    ),
  },
  {
    name: 'a resource annotation without a name, but with a value',
    object: pod({
      'resource.opentelemetry.io/': '{',
      'instrumentation.opentelemetry.io/inject-python': 'other/inst',
    }),
  },
  ...[300, 800, 20_000].map((count) => ({
    name: `${count} complex YAML keys`,
    object: proxyConfig(`a: !!x b\n${'? '.repeat(count)}`),
  })),
  ...[1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 30_000].map((depth) => ({
    name: `YAML nested ${depth} deep`,
    object: proxyConfig(`{"a":${nested(depth)}}`),
  })),
  { name: 'a map as a YAML key', object: proxyConfig('{a: {b: c}: d}') },
  { name: 'YAML of 64 kB of commas', object: proxyConfig(`a: [${','.repeat(64_000)}]`) },
  { name: 'YAML anchors and aliases', object: proxyConfig('- &a x\n- *a\n'.repeat(5000)) },
  { name: 'YAML tags', object: proxyConfig('- !a b\n'.repeat(9000)) },
  { name: 'YAML errors', object: proxyConfig(`a: ${'}'.repeat(60_000)}`) },
  { name: 'YAML that refers to itself', object: proxyConfig('a: &a [*a]') },
  {
    name: 'YAML aliases that multiply',
    object: proxyConfig(
      `a: &a [1,1]\n${[...'bcdefghijklmnopqrstuvwxyz'].map((name, at) => `${name}: &${name} [${`*${'abcdefghijklmnopqrstuvwxyz'[at]},`.repeat(3)}]\n`).join('')}`,
    ),
  },
  ...[
    '{"containers":[{"name":"istio-proxy","env":5}]}',
    '{"containers":[{"name":"istio-proxy","env":[{}]}]}',
    '{"containers":[{"name":"istio-proxy","ports":{"a":1}}]}',
    '{"containers":[null,5,{}]}',
    '{"containers":5}',
    `{"containers":[{"name":"istio-proxy","x":${nested(2000)}}]}`,
    `{"containers":[{"name":"istio-proxy","x":${nested(400)}}]}`,
    nested(100_000),
  ].map((text) => ({ name: `overrides ${text.slice(0, 60)}`, object: overrides(text) })),
  {
    name: 'overrides of a Pod that was not injected before',
    object: overrides('{"containers":[{"name":"web"}]}'),
  },
  ...[
    'grpc',
    'grpc,extra',
    'extra,grpc',
    'sidecar,extra',
    'quoted',
    'sidecar,'.repeat(20),
    'a,'.repeat(100_000),
  ].map((names) => ({ name: `templates ${names.slice(0, 40)}`, object: templates(names) })),
  {
    name: 'user volumes nested deeply',
    object: pod({ 'sidecar.istio.io/userVolume': `{"a":${nested(9000)}}` }),
  },
  {
    name: 'user volumes of another type',
    object: pod({ 'sidecar.istio.io/userVolume': '5', 'sidecar.istio.io/userVolumeMount': '"x"' }),
  },
  {
    name: 'an image that ends the quotes',
    object: pod({ 'sidecar.istio.io/proxyImage': 'a"\n  - ? [x]: "' }),
  },
  {
    name: 'slashes before the end of a mount path',
    object: pod(java, {
      containers: [{ ...web, volumeMounts: [{ name: 'v', mountPath: `${'/'.repeat(64_000)}x/` }] }],
    }),
  },
  ...[{ name: 5 }, { name: {} }, { name: null, generateName: ['web-'] }].map((metadata) => ({
    name: `the metadata ${JSON.stringify(metadata)}`,
    object: pod({ ...java, 'filebeat.enabled': 'true' }, {}, metadata),
  })),
  { name: 'an owner that owns itself', object: pod(java, {}, owner('web')) },
  { name: 'owners in a circle', object: pod(java, {}, owner('app')) },
  ...[
    'x',
    {},
    [null],
    [5],
    [{ kind: 'Job' }],
    [{ kind: 'Job', name: 'a' }],
    [{ apiVersion: 5, kind: 'Job', name: 'a', controller: true }],
    [{ kind: 'ReplicaSet' }],
    [{ kind: 'ReplicaSet', name: 5 }],
  ].map((ownerReferences) => ({
    name: `the owners ${JSON.stringify(ownerReferences)}`,
    object: pod(
      { ...java, 'filebeat.enabled': 'true' },
      {},
      { labels: { 'pod-template-hash': '5d4f8' }, ownerReferences },
    ),
  })),
  {
    name: 'a CronJob whose containers share resources',
    object: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'web' },
      spec: {
        jobTemplate: {
          spec: {
            template: {
              metadata: { annotations: { 'filebeat.enabled': 'true' } },
              spec: { resources: { limits: { cpu: '1', memory: '1Gi' } }, containers: [web] },
            },
          },
        },
      },
    },
  },
  {
    name: "a mount without a path by Istio's template",
    object: pod({ 'sidecar.istio.io/userVolumeMount': '{"a":{}}', 'filebeat.enabled': 'true', ...java }),
  },
  { name: 'a security context that is a list', object: pod({}, { securityContext: [] }) },
  ...[{ readinessGates: {} }, { overhead: { cpu: 'lots' } }, { activeDeadlineSeconds: '' }].map((spec) => ({
    name: `a Pod that Go cannot decode: ${JSON.stringify(spec)}`,
    object: pod({}, spec),
  })),
  {
    name: 'a Pod with a time that Go cannot decode',
    object: pod({}, {}, { creationTimestamp: 'yesterday' }),
  },
  {
    name: 'amounts that are a list',
    object: pod({}, { containers: [{ ...web, resources: { requests: [] } }] }),
  },
  { name: 'no containers', object: pod(java, { containers: null }) },
  {
    name: 'null lists and maps',
    object: pod(java, { volumes: null, initContainers: null, securityContext: null }),
  },
  { name: 'an env entry that is null', object: pod(java, { containers: [{ ...web, env: [null] }] }) },
  { name: 'a container without a name', object: pod(java, { containers: [{ image: 'x' }, web] }) },
  {
    name: 'a mount without a path',
    object: pod({ 'filebeat.enabled': 'true' }, { containers: [{ ...web, volumeMounts: [{ name: 'x' }] }] }),
  },
  ...['istio-proxy', 'istio-init', 'istio-validation'].map((name) => ({
    name: `an agent for ${name}, which Istio starts first`,
    object: pod({ ...java, 'instrumentation.opentelemetry.io/container-names': name }),
  })),
  ...[' ', 'a: *', 'a b', ' a', 'a ', 'a\tb', 'a\nb', 'a,b', 'a=b', 'a:b', '$(A)'].map((name) => ({
    name: `a container called ${JSON.stringify(name)}`,
    object: pod(
      {
        ...java,
        'instrumentation.opentelemetry.io/inject-nodejs': 'inst',
        'instrumentation.opentelemetry.io/container-names': name,
        'filebeat.enabled': 'true',
      },
      { containers: [{ ...web, name }], initContainers: [{ ...web, name: `${name}init` }] },
    ),
  })),
  ...[java, { 'instrumentation.opentelemetry.io/inject-java': 'inst' }].flatMap((annotations) =>
    [' ', 'a: *'].map((name) => ({
      name: `a Java application called ${JSON.stringify(name)}, by ${JSON.stringify(annotations)}`,
      object: pod(annotations, { containers: [{ ...web, name }] }),
    })),
  ),
  ...[
    { restartPolicy: '' },
    { restartPolicy: 'Never' },
    { securityContext: { procMount: '' } },
    { volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: '', recursiveReadOnly: '' }] },
    { imagePullPolicy: '', terminationMessagePolicy: '', workingDir: '' },
  ].flatMap((settings) =>
    ['containers', 'initContainers'].map((list) => ({
      name: `a proxy among ${list} with ${JSON.stringify(settings)}`,
      object: pod({}, { containers: [web], [list]: [{ name: 'istio-proxy', ...settings }] }),
    })),
  ),
  ...['istio-init', 'istio-proxy', 'filebeat', 'otc-container'].map((name) => ({
    name: `an application called ${name}`,
    object: pod(
      { ...java, 'filebeat.enabled': 'true', 'sidecar.opentelemetry.io/inject': 'true' },
      { containers: [{ name }] },
    ),
  })),
  ...[{ command: 'x' }, { args: {} }, { command: [5, null] }].map((settings) => ({
    name: `a container with ${JSON.stringify(settings)}`,
    object: pod({}, { containers: [{ ...web, ...settings }] }),
  })),
  {
    name: 'a collector that is removed, beside templates for each container',
    object: pod(
      { 'inject.istio.io/templates': 'grpc', 'sidecar.opentelemetry.io/inject': 'false' },
      { containers: [{ name: 'otc-container' }, web] },
    ),
  },
  ...['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => ({
    name: `the user's own sidecars with the ${field} []`,
    object: pod(
      { 'filebeat.enabled': 'true' },
      { containers: [web, { name: 'filebeat', [field]: [] }, { name: 'istio-proxy', [field]: [] }] },
    ),
  })),
  ...[[], { options: {} }, { options: [null] }].map((dnsConfig) => ({
    name: `DNS settings ${JSON.stringify(dnsConfig)}`,
    object: pod({}, { dnsConfig }),
  })),
  ...['1e999', '1e-12', '1.5n', '5n', '8Ei', '-5n'].map((amount) => ({
    name: `the amount ${amount}`,
    object: pod(
      { 'sidecar.istio.io/proxyCPU': amount, 'sidecar.istio.io/proxyMemory': amount },
      { containers: [{ ...web, resources: { requests: { cpu: amount, memory: amount } } }] },
    ),
  })),
  { name: 'containers of one name', object: pod(java, { containers: [web, web] }) },
  {
    name: 'negative ports',
    object: pod(java, { containers: [{ ...web, ports: [{ containerPort: -1 }, {}] }] }),
  },
  { name: 'a ServiceAccount called ..', object: pod({}, { serviceAccountName: '..' }) },
  {
    name: 'keys of every object',
    object: JSON.parse(
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"__proto__":"x","constructor":"y","filebeat.enabled":"true"},"labels":{"__proto__":"x","app":"constructor"}},"spec":{"containers":[{"name":"constructor","image":"x","__proto__":{"a":1}}],"__proto__":{"b":2},"newerField":{"__proto__":{"c":3}}}}',
    ) as object,
  },
  {
    name: '3,000 log paths',
    object: pod({
      'filebeat.enabled': 'true',
      'filebeat.log-path': Array.from({ length: 3000 }, (_, at) => `/srv/${at}`).join(','),
    }),
  },
  {
    name: 'a long denial',
    object: pod({
      'filebeat.enabled': 'true',
      'filebeat.worker': 'x'.repeat(120_000),
      'status.sidecar.istio.io/port': 'x'.repeat(120_000),
    }),
  },
  {
    name: 'a long reference',
    object: pod({
      'sidecar.opentelemetry.io/inject': `${'x'.repeat(120_000)}/y`,
      'instrumentation.opentelemetry.io/inject-java': 'z'.repeat(120_000),
    }),
  },
];

/** Objects that are too deep to check with recursive functions, as JSON. */
export const DEEP_OBJECTS: readonly { readonly name: string; readonly text: string }[] = [
  100, 3000, 50_000,
].flatMap((depth) => [
  {
    name: `an unknown field nested ${depth} deep`,
    text: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"filebeat.enabled":"true"}},"spec":{"x":${nested(depth)},"containers":[{"name":"web"}]}}`,
  },
  {
    name: `an unknown field of a container nested ${depth} deep`,
    text: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"filebeat.enabled":"true","inject.istio.io/templates":"grpc"}},"spec":{"containers":[{"name":"web","x":${nested(depth)}}]}}`,
  },
  {
    name: `an unknown field of the proxy nested ${depth} deep`,
    text: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"istio-proxy","securityContext":{"x":${nested(depth)}}},{"name":"web"}]}}`,
  },
]);

/** Custom resources with fields of any depth, up to the limit of the API server. */
export const DEEP_RESOURCES: readonly { readonly depth: number; readonly text: string }[] = [
  900, 1500, 3000, 6000, 9900,
].flatMap((depth) =>
  [
    `"spec":{"a":${nested(depth)},"set":["x"]}`,
    `"spec":{"a":{"b":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}},"set":["x"]}`,
    `"spec":{"set":["x",${nested(depth)}]}`,
    `"spec":{"set":["x"]},"status":${nested(depth)}`,
  ].map((fields) => ({
    depth,
    text: `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},${fields}}`,
  })),
);
