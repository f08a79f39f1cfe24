import { containerNamesKey, injectKey, LANGUAGES } from '../../src/injectors/opentelemetry/annotations.ts';
import type { Random } from './random.ts';
import { NAMES, randomText } from './random-text.ts';

/**
 * Every annotation of a Pod that a built-in injector reads (`annotations.test.ts`) or Istio's own template, with values that are valid or
 * nearly so.
 */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'sidecar.istio.io/inject': ['true', 'false', 'yes'],
  'sidecar.istio.io/status': [
    '{"initContainers":["istio-init"],"containers":["istio-proxy"],"volumes":null,"imagePullSecrets":null,"revision":"default"}',
    '{"containers":[1,null,"web"]}',
    JSON.stringify({
      initContainers: ['istio-init', 'x'.repeat(20_000)],
      containers: Array.from({ length: 1000 }, (_, at) => `${'web'.repeat(at % 30)}${at}`),
      volumes: ['y'.repeat(50_000), 'workload-socket'],
      revision: 'r'.repeat(10_000),
    }),
    '[]',
  ],
  'proxy.istio.io/overrides': [
    '{"containers":[{"name":"istio-proxy","image":"mine","env":[{"name":"A","value":"b"}]}]}',
    '{"initContainers":[{"name":"istio-proxy","restartPolicy":"Always","resources":{"limits":{"cpu":"2"}}}]}',
    '{"containers":[{"name":"istio-proxy","env":5}]}',
    '{"containers":[{"name":"istio-proxy","env":[{}]}]}',
    '{"containers":[{"name":"istio-proxy","ports":[{"containerPort":"x"}]}]}',
    '{"containers":[{}]}',
    '{"containers":[null,{"name":null}]}',
  ],
  'proxy.istio.io/config': [
    'concurrency: 2',
    'holdApplicationUntilProxyStarts: true',
    '{"proxyMetadata":{"A":"b"},"tracing":{"sampling":10}}',
    'proxyMetadata:\n  constructor: a\n  __proto__: b',
    'image: {imageType: distroless}\nstatusPort: 15999',
    'discoveryAddress: istiod.istio-system.svc:15012 # comment',
    '? [a]\n: b',
    '!!binary aGk=',
    'a: &x {b: *x}',
  ],
  'inject.istio.io/templates': ['sidecar', 'grpc', 'sidecar,extra', ' extra , sidecar', 'none', 'quoted', ''],
  'sidecar.istio.io/nativeSidecar': ['true', 'false', 'x'],
  'sidecar.istio.io/interceptionMode': ['TPROXY', 'NONE', 'REDIRECT'],
  'status.sidecar.istio.io/port': ['0', '15020', '15999', '65536'],
  'readiness.status.sidecar.istio.io/periodSeconds': ['2', '-2'],
  'readiness.status.sidecar.istio.io/initialDelaySeconds': ['0', '3', '4294967296', '1.5'],
  'readiness.status.sidecar.istio.io/failureThreshold': ['9', '0', '+1'],
  'traffic.sidecar.istio.io/includeOutboundIPRanges': ['*', '10.0.0.0/8', '10.0.0.0/8,::1/128'],
  'traffic.sidecar.istio.io/excludeOutboundIPRanges': ['10.1.0.0/16,10.2.0.0/16', '10.0.0.0/33', ''],
  'traffic.sidecar.istio.io/includeOutboundPorts': ['443', '*', '1,'],
  'traffic.sidecar.istio.io/includeInboundPorts': ['*', '80,81', '', '80,,81'],
  'traffic.sidecar.istio.io/excludeInboundPorts': ['80,443', ''],
  'traffic.sidecar.istio.io/excludeOutboundPorts': ['3306', ' 1 , 2 ', '70000'],
  'traffic.sidecar.istio.io/excludeInterfaces': ['eth0'],
  'traffic.sidecar.istio.io/kubevirtInterfaces': ['net1,net2', 'net1,', 'a-name-that-is-too-long'],
  'istio.io/reroute-virtual-interfaces': ['net1', '9eth'],
  'prometheus.istio.io/merge-metrics': ['true', 'false'],
  'prometheus.istio.io/scrape-targets': ['9090:/metrics', '9090:/a,9091:/b', ':'],
  'prometheus.istio.io/secure-port': ['15022', 'x'],
  'prometheus.io/scrape': ['true', 'false'],
  'prometheus.io/port': ['9090', '15020', 'x'],
  'prometheus.io/path': ['/metrics', '', '/a"b'],
  'prometheus.io.path': ['/metrics'],
  'sidecar.istio.io/proxyImage': ['proxy:1', 'a"b: c', '{x}'],
  'sidecar.istio.io/proxyImageType': ['debug', 'distroless'],
  'sidecar.istio.io/proxyCPU': ['100m', '2', 'lots', '5n', '1.5n'],
  'sidecar.istio.io/proxyCPULimit': ['2', '1e-9', 'much'],
  'sidecar.istio.io/proxyMemory': ['64Mi', '1.5', '0x1'],
  'sidecar.istio.io/proxyMemoryLimit': ['128Mi', '1e3'],
  'sidecar.istio.io/userVolume': ['[{"name":"u","emptyDir":{}}]', '{"u":{"emptyDir":{}}}', '{"u":null}', '5'],
  'sidecar.istio.io/userVolumeMount': ['[{"name":"u","mountPath":"/u"}]', '{"u":{"mountPath":"/u"}}'],
  'sidecar.istio.io/logLevel': ['debug', 'a"b: c'],
  'sidecar.istio.io/componentLogLevel': ['misc:error'],
  'sidecar.istio.io/agentLogLevel': ['all:debug'],
  'sidecar.istio.io/capNetBindService': ['true', 'false'],
  'sidecar.istio.io/bootstrapOverride': ['my-config', 'Not A Name'],
  'apm.datadoghq.com/env': ['{"DD_ENV":"prod"}', '{"A":null}', '[]', '{'],
  'sidecar.istio.io/rewriteAppHTTPProbers': ['true', 'false'],
  'k8s.v1.cni.cncf.io/networks': ['a', '[{"name":"a"}]', '[null]'],
  'eks.amazonaws.com/skip-containers': ['web', 'web,app', '"web', 'web , app'],
  'eks.amazonaws.com/token-expiration': ['600', '86400', '1', '99999999999'],
  'eks.amazonaws.com/role-arn': ['arn:aws:iam::111122223333:role/r'],
  'filebeat.enabled': ['true', 'false'],
  'filebeat.log-path': [
    '/var/log/*.log',
    '/srv/a/x.log,/srv/b',
    'relative',
    '/a,/b,/c,/d/../e',
    '/usr/share',
  ],
  'filebeat.configmap': ['mine', 'Not A Name'],
  'filebeat.image': ['beats:1', ''],
  'filebeat.worker': ['1', '0', '2.5'],
  'filebeat.bulk-max-size': ['100', '-1'],
  'filebeat.resources.requests.cpu': ['100m', '5'],
  'filebeat.resources.requests.memory': ['64Mi', 'lots', '1.5n'],
  'filebeat.resources.limits.cpu': ['1', '0', '1e999'],
  'filebeat.resources.limits.memory': ['256Mi', '1'],
  'filebeat.lifecycle.type': ['exec', 'HttpGet', 'none'],
  'filebeat.lifecycle.exec.command': ['sh,-c,sleep 1', ','],
  'filebeat.lifecycle.httpget.port': ['8080', 'http', '99999'],
  'filebeat.lifecycle.httpget.path': ['/stop', 'stop', ''],
  'filebeat.lifecycle.httpget.scheme': ['HTTPS', 'ftp'],
  'instrumentation.opentelemetry.io/container-names': ['web', 'web,app', 'web,,istio-proxy'],
  'instrumentation.opentelemetry.io/otel-python-platform': ['glibc', 'musl', 'x'],
  'instrumentation.opentelemetry.io/otel-dotnet-auto-runtime': ['linux-x64', 'linux-musl-x64'],
  'instrumentation.opentelemetry.io/otel-go-auto-target-exe': ['/app'],
  'resource.opentelemetry.io/service.name': ['web', 'a=b,c'],
  'resource.opentelemetry.io/service.version': ['7', 'a=b,c', ''],
  'resource.opentelemetry.io/service.namespace': ['eu', 'a,b'],
  'resource.opentelemetry.io/service.instance.id': ['one', '$(POD_NAME)'],
  'resource.opentelemetry.io/k8s.deployment.name': ['mine', 'a%b'],
  'resource.opentelemetry.io/': ['', 'x'],
  'resource.opentelemetry.io/k8s.pod.name': ['x'],
  'sidecar.opentelemetry.io/inject': ['true', 'col', 'other/col', 'a/b/c', 'missing', 'false'],
  'kubectl.kubernetes.io/default-container': ['web', 'none'],
  'kubectl.kubernetes.io/default-logs-container': ['web'],
  'gateway.istio.io/agentgatewayImage': ['agentgateway:1'],
  'podgraft.dev/injected': ['v1', '{}', 'mesh=abc'],
  ...Object.fromEntries(
    LANGUAGES.map((language) => [
      injectKey(language),
      ['true', 'false', 'inst', 'other/inst', 'a/b/c', 'missing', '../inst'],
    ]),
  ),
  ...Object.fromEntries(
    LANGUAGES.map((language) => [
      containerNamesKey(language),
      ['web', 'app', 'web,app', 'istio-proxy', 'init'],
    ]),
  ),
};

export const ANNOTATION_KEYS = Object.keys(KEYS);

export function randomAnnotations(random: Random): Record<string, unknown> {
  // Most Pods are for one injector or two; a few have everything.
  const density = random.pick([0.02, 0.05, 0.15, 0.5]);
  const oddness = random.pick([0, 0, 0.05, 0.3]);
  const entries = random.some(ANNOTATION_KEYS, density).map((key): [string, unknown] => {
    if (random.chance(oddness))
      return [key, random.chance(0.05) ? random.pick([5, null, true]) : randomText(random)];
    return [key, random.pick(KEYS[key] as readonly string[])];
  });
  if (random.chance(0.1)) entries.push([randomText(random), randomText(random)]);
  if (random.chance(0.01)) entries.push(['kubernetes.io/config.mirror', 'x']);
  if (random.chance(0.3)) entries.push(['filebeat.enabled', 'true']);
  if (random.chance(0.2))
    entries.push(['instrumentation.opentelemetry.io/inject-java', random.pick(['true', 'inst'])]);
  if (random.chance(0.05)) entries.push(['instrumentation.opentelemetry.io/inject-sdk', random.pick(NAMES)]);
  return fromEntries(entries);
}

/** Unlike an object literal, keeps `__proto__` as an ordinary key, as JSON.parse does. */
export function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}
