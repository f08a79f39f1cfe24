import { describe, expect, test } from 'vitest';
import { OVERRIDES, PROXY_CONFIG } from '../names.ts';
import { annotationProblems } from './annotation-problems.ts';

const traffic = 'traffic.sidecar.istio.io';

describe('annotations', () => {
  test.each([
    ['sidecar.istio.io/interceptionMode', ['REDIRECT', 'TPROXY', 'NONE'], ['', 'redirect']],
    ['status.sidecar.istio.io/port', ['0', '15020', '65535'], ['', '65536', '-1', 'http']],
    ['readiness.status.sidecar.istio.io/initialDelaySeconds', ['0', '4294967295'], ['', '4294967296', '1.5']],
    ['readiness.status.sidecar.istio.io/periodSeconds', ['2'], ['2s']],
    ['readiness.status.sidecar.istio.io/failureThreshold', ['30'], ['-1']],
    [`${traffic}/includeOutboundIPRanges`, ['*', '', '10.0.0.0/8,fd00::/8'], ['10.0.0.1', '*,10.0.0.0/8']],
    [`${traffic}/excludeOutboundIPRanges`, ['', '10.0.0.0/8'], ['*']],
    [`${traffic}/includeInboundPorts`, ['*', '', '80,443'], ['80,http', '65536']],
    [`${traffic}/excludeInboundPorts`, ['', '80'], ['*']],
    [`${traffic}/excludeOutboundPorts`, ['80,81'], ['80;81']],
    [`${traffic}/includeOutboundPorts`, ['80', 'anything'], []],
    [
      `${traffic}/excludeInterfaces`,
      ['', 'eth0,net1'],
      ['sixteen-letters-', 'a/b', 'eth0,', 'e@1', 'e*', ' '],
    ],
    [`${traffic}/kubevirtInterfaces`, ['net1'], ['a b']],
    ['istio.io/reroute-virtual-interfaces', ['fifteen-letters'], ['sixteen-letters-']],
    ['prometheus.istio.io/merge-metrics', ['true', 'F', '0'], ['', 'yes']],
    [
      'proxy.istio.io/overrides',
      ['{}', '{"containers":[{"name":"istio-proxy"}]}'],
      ['', '{', '[]', '{"containers":1}'],
    ],
    ['sidecar.istio.io/proxyCPU', ['100m', '1.5'], ['', 'much', '1\n']],
    ['sidecar.istio.io/proxyMemory', ['128Mi'], ['128 Mi']],
    ['sidecar.istio.io/proxyCPULimit', ['2'], ['2\u0000']],
    ['sidecar.istio.io/proxyMemoryLimit', ['1Gi'], ['1GiB']],
  ])('checks %s', (name, good, bad) => {
    for (const value of good) expect(annotationProblems({ [name]: value }), value).toEqual([]);
    for (const value of bad)
      expect(annotationProblems({ [name]: value }), value).toEqual([expect.stringContaining(`"${name}"`)]);
  });

  test('names all invalid annotations', () => {
    const problems = annotationProblems({
      [PROXY_CONFIG]: 'x',
      'sidecar.istio.io/proxyCPU': 'y',
      other: 'z',
    });
    expect(problems).toEqual([
      expect.stringContaining(`"${PROXY_CONFIG}"`),
      expect.stringContaining('"sidecar.istio.io/proxyCPU"'),
    ]);
  });
});

describe(PROXY_CONFIG, () => {
  test.each([
    ['an empty text', ''],
    [
      'names in camel case and snake case',
      '{status_port: 15021, statusPort: 15021, discovery_address: "istiod:15012"}',
    ],
    ['null as a missing field', '{concurrency: null, tracing: null}'],
    ['null in a map', '{proxyMetadata: {A: null}, tracing: {customTags: {a: null}}}'],
    [
      "durations in Go's notation",
      '{drainDuration: 1m, terminationDrainDuration: 1m30s, fileFlushInterval: 100ms}',
    ],
    ['numbers that Istio does not check', '{statNameLength: 0, concurrency: -1}'],
    ['unknown fields', '{unknownField: {a: 1}}'],
    ['quoted numbers', '{concurrency: "2", tracing: {sampling: "1.5"}}'],
    ['enums as numbers', '{interceptionMode: 1}'],
    [
      'all kinds of addresses',
      '{discoveryAddress: "[fd00::1]:15012", statsdUdpAddress: "10.0.0.1:9125", tracing: {datadog: {address: "$(HOST_IP):8126"}}}',
    ],
    ['a message without an address', '{envoyMetricsService: {}, envoyAccessLogService: {address: ""}}'],
    [
      'custom tags and TLS',
      '{tracing: {custom_tags: {a: {header: {name: x}}}, tls_settings: {mode: MUTUAL, credential_name: c}}}',
    ],
    ['a private key provider', '{privateKeyProvider: {cryptomb: {pollDelay: 10s}}}'],
    [
      'several fields',
      'drainDuration: 23s\nimage: {imageType: distroless}\nproxyMetadata: {A: b}\nholdApplicationUntilProxyStarts: true',
    ],
  ])('accepts %s', (_, text) => {
    expect(annotationProblems({ [PROXY_CONFIG]: text })).toEqual([]);
  });

  test.each([
    ['[1]', 'not a map'],
    ['{', 'not YAML'],
    ['{discoveryAddress: 5}', 'discoveryAddress: expected a string, found 5'],
    ['{concurrency: 1.5}', 'concurrency: expected an integer, found 1.5'],
    ['{concurrency: 2147483648}', 'concurrency: expected an integer'],
    ['{file_flush_min_size_kb: -1}', 'fileFlushMinSizeKb: expected an integer'],
    ['{holdApplicationUntilProxyStarts: "yes"}', 'holdApplicationUntilProxyStarts: expected true or false'],
    ['{drainDuration: 23}', 'drainDuration: expected a duration such as "5s" or "100ms", found 23'],
    ['{drainDuration: 1d}', 'drainDuration: expected a duration'],
    ['{drainDuration: 100ms}', 'drainDuration: 0.100s is less than 1s'],
    ['{interceptionMode: MAGIC}', 'interceptionMode: expected one of REDIRECT, TPROXY, NONE, found "MAGIC"'],
    ['{tracing: {sampling: often}}', 'tracing.sampling: expected a number, found "often"'],
    ['{tracing: {tlsSettings: {mode: SECRET}}}', 'tracing.tlsSettings.mode: expected one of DISABLE'],
    ['{image: distroless}', 'image: expected a map, found "distroless"'],
    ['{proxyHeaders: none}', 'proxyHeaders: expected a map, found "none"'],
    ['{proxyMetadata: [A]}', 'proxyMetadata: expected a map of strings'],
    ['{extraStatTags: a}', 'extraStatTags: expected a list of strings'],
    ['{statusPort: 0}', 'statusPort: 0 is not a port'],
    ['{proxyAdminPort: 65536}', 'proxyAdminPort: 65536 is not a port'],
    ['{drainDuration: 0.5s}', 'drainDuration: 0.500s is less than 1s'],
    ['{drainDuration: 1.5s}', 'drainDuration: 1.500s is not a whole number of seconds'],
    ['{proxyMetadata: {A: true}}', 'proxyMetadata: expected a map of strings, found {"A":true}'],
    ['{configPath: ""}', 'configPath: must not be empty'],
    ['{serviceCluster: ""}', 'serviceCluster: must not be empty'],
    ['{controlPlaneAuthPolicy: INHERIT}', 'controlPlaneAuthPolicy: INHERIT is not allowed'],
    ['{discoveryAddress: istiod}', 'discoveryAddress: "istiod" is not a host with a port'],
    ['{discoveryAddress: ""}', 'discoveryAddress: "" is not a host with a port'],
    ['{discoveryAddress: "istiod:0"}', 'discoveryAddress: "istiod:0" is not a host with a port'],
    ['{discoveryAddress: "is_tiod:15012"}', 'discoveryAddress: "is_tiod:15012" is not a host'],
    ['{discoveryAddress: "10.0.0.256:15012"}', 'discoveryAddress: "10.0.0.256:15012" is not a host'],
    ['{statsdUdpAddress: "10.0.0.1"}', 'statsdUdpAddress: "10.0.0.1" is not a host with a port'],
    ['{envoyAccessLogService: {address: x}}', 'envoyAccessLogService.address: "x" is not a host with a port'],
    ['{tracing: {zipkin: {}}}', 'tracing.zipkin.address: "" is not a host with a port'],
    ['{tracing: {lightstep: {address: "ls:80"}}}', 'tracing.lightstep.accessToken: must not be empty'],
    ['{tracing: {customTags: {a: x}}}', 'tracing.customTags.a: expected a map, found "x"'],
    ['{readinessProbe: {httpGet: {port: x}}}', 'readinessProbe.httpGet.port: expected an integer'],
    ['{discoveryAddress: "$(HOST_IP):15012"}', 'discoveryAddress: "$(HOST_IP):15012" is not a host'],
    ['{tracing: {customTags: {a: {literal: {value: 1}}}}}', 'tracing.customTags.a.literal.value: expected a'],
    ['{tracing: {tlsSettings: {mode: MUTUAL}}}', 'tracing.tlsSettings: MUTUAL needs clientCertificate'],
    [
      '{tracing: {tlsSettings: {mode: SIMPLE, credentialName: c, caCertificates: /ca}}}',
      'tracing.tlsSettings: caCertificates cannot be combined with credentialName',
    ],
    [
      '{tracing: {tlsSettings: {mode: SIMPLE, insecureSkipVerify: true, subjectAltNames: [a]}}}',
      'tracing.tlsSettings: subjectAltNames cannot be combined with insecureSkipVerify',
    ],
    [
      '{gatewayTopology: {forwardClientCertDetails: NO}}',
      'gatewayTopology.forwardClientCertDetails: expected one of',
    ],
    ['{privateKeyProvider: {}}', 'privateKeyProvider: needs cryptomb or qat with a pollDelay'],
    ['{privateKeyProvider: {qat: {pollDelay: 0s}}}', 'privateKeyProvider: needs cryptomb or qat'],
    [
      '{statusPort: 0, concurrency: x}',
      'concurrency: expected an integer, found "x", statusPort: 0 is not a port',
    ],
  ])('rejects %s', (text, reason) => {
    expect(annotationProblems({ [PROXY_CONFIG]: text })).toEqual([expect.stringContaining(reason)]);
  });
});

describe('overrides', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  // If an injector throws under failurePolicy Ignore, the Pod starts without any injection.
  test.each([
    [
      '{"containers":[{"name":"istio-proxy","env":5}]}',
      'expected a list at containers[0].env, found a number',
    ],
    ['{"containers":[5]}', 'expected a map at containers[0], found a number'],
    ['{"containers":{}}', 'expected a list at containers, found a map'],
    ['{"initContainers":[{"name":1}]}', 'expected a string at initContainers[0].name, found a number'],
    [
      '{"containers":[{"name":"istio-proxy","resources":{"limits":5}}]}',
      'expected quantities at containers[0].resources.limits, found a number',
    ],
    [
      '{"containers":[{"name":"istio-proxy","securityContext":{"runAsUser":{}}}]}',
      'expected a whole number at containers[0].securityContext.runAsUser, found a map',
    ],
    [`{"containers":[{"name":"istio-proxy","x":${nested(2000)}}]}`, 'expected lists of containers in JSON'],
  ])('rejects %.80s', (text, reason) => {
    expect(annotationProblems({ [OVERRIDES]: text })).toEqual([expect.stringContaining(reason)]);
  });

  test.each([
    '{}',
    '{"containers":null,"initContainers":[]}',
    '{"containers":[{"name":"istio-proxy","env":[{"name":"A","value":"b"}],"newField":{"a":[1]}}]}',
    '{"containers":[{"name":"istio-proxy","resources":{"limits":{"cpu":2}},"securityContext":{"runAsUser":0}}]}',
  ])('accepts %s', (text) => {
    expect(annotationProblems({ [OVERRIDES]: text })).toEqual([]);
  });
});

test('a long value is shortened in the message', () => {
  const [problem = ''] = annotationProblems({ [PROXY_CONFIG]: `[${'x'.repeat(60_000)}]` });
  expect(problem.length).toBeLessThan(300);
});

test.each([
  ['httpMaxConcurrentStreams', -1, '-1 is less than 1'],
  ['http2InitialStreamWindowSize', 1000, '1000 is less than 65535'],
  ['listenerConnectionLimit', 0, '0 is less than 1'],
])("connection settings have istiod's limits: %s", (field, value, problem) => {
  const config = (number: number) => ({
    'proxy.istio.io/config': `{connectionSettings: {${field}: ${number}}}`,
  });
  expect(annotationProblems(config(value)).join()).toContain(problem);
  expect(annotationProblems(config(70_000))).toEqual([]);
});
