import { describe, expect, test } from 'vitest';
import { filesView } from '../../../cluster/views/files-view.ts';
import type { KubeObject } from '../../../kube/kube-object.ts';
import type { JsonObject } from '../../../sdk/index.ts';
import { readConfiguration } from './configuration.ts';
import { effectiveProxyConfig, proxyConfigText } from './proxy-config.ts';
import { readProxyConfig } from './proxy-config-annotation.ts';

describe('mesh', () => {
  test('has durations in the notation of Go', () => {
    const text = `{protocolDetectionTimeout: 100ms, connectTimeout: 1m, dnsRefreshRate: 5m,
      defaultConfig: {terminationDrainDuration: 1m}}`;
    const { mesh } = readMesh(text);
    expect(mesh).toMatchObject({
      protocolDetectionTimeout: '0.100s',
      connectTimeout: '60s',
      dnsRefreshRate: '300s',
      defaultConfig: { terminationDrainDuration: '60s' },
    });
  });

  test('may export to the namespace alone', () => {
    expect(readMesh('defaultServiceExportTo: [.]').mesh.defaultServiceExportTo).toEqual(['.']);
  });

  test('names a wrong type inside a list', () => {
    expect(() => readMesh('extensionProviders: [{name: a, zipkin: {port: x}}]')).toThrow(
      'extensionProviders[0].zipkin.port: expected an integer, found "x"',
    );
  });
});

describe('settings of a proxy', () => {
  test('a zero value in a layer is absent', () => {
    const mesh = readMesh('defaultConfig: {interceptionMode: TPROXY, controlPlaneAuthPolicy: NONE}').mesh;
    const config = effective(mesh, '{interceptionMode: REDIRECT, meshId: ""}');
    expect(config).toMatchObject({ interceptionMode: 'TPROXY', controlPlaneAuthPolicy: 'MUTUAL_TLS' });
  });

  test('false in a wrapper is a value', () => {
    const mesh = readMesh('defaultConfig: {holdApplicationUntilProxyStarts: true, concurrency: 2}').mesh;
    const config = effective(mesh, '{holdApplicationUntilProxyStarts: false, concurrency: 0}');
    expect(config).toMatchObject({ holdApplicationUntilProxyStarts: false, concurrency: 0 });
  });

  test('a ProxyConfig with an empty selector applies to nothing', () => {
    const { mesh } = readMesh('');
    const resource = (selector: object | null) =>
      ({
        apiVersion: 'networking.istio.io/v1beta1',
        kind: 'ProxyConfig',
        metadata: { name: 'a', namespace: 'shop' },
        spec: { concurrency: 7, ...(selector !== null && { selector }) },
      }) as unknown as KubeObject;
    expect(effective(mesh, '', [resource({ matchLabels: {} })]).concurrency).toBeUndefined();
    expect(effective(mesh, '', [resource({})]).concurrency).toBeUndefined();
    expect(effective(mesh, '', [resource(null)]).concurrency).toBe(7);
  });
});

test.each([
  [
    '{tracing: {stackdriver: {debug: false, maxNumberOfAttributes: 200}}}',
    '{"tracing":{"stackdriver":{"maxNumberOfAttributes":"200"}}}',
  ],
  [
    '{tracing: {datadog: {address: "d:1"}, zipkin: {address: "z:1"}}}',
    '{"tracing":{"datadog":{"address":"d:1"}}}',
  ],
  [
    '{proxyHeaders: {server: {value: s, disabled: false}, requestId: {}, forwardedClientCert: UNDEFINED}}',
    '{"proxyHeaders":{"requestId":{},"server":{"disabled":false,"value":"s"}}}',
  ],
  ['{sds: {k8s_sa_jwt_path: /x, enabled: true}}', '{"sds":{"enabled":true,"k8sSaJwtPath":"/x"}}'],
  ['{terminationDrainDuration: 1h, concurrency: 0}', '{"concurrency":0,"terminationDrainDuration":"3600s"}'],
  ['{interceptionMode: 1, controlPlaneAuthPolicy: MUTUAL_TLS}', '{"interceptionMode":"TPROXY"}'],
])('%s is written as %s', (text, expected) => {
  const written = JSON.parse(proxyConfigText(effective(readMesh('').mesh, text))) as JsonObject;
  expect(JSON.stringify(written)).toBe(JSON.stringify(JSON.parse(expected)));
});

function readMesh(mesh: string) {
  return readConfiguration({ config: 'policy: enabled', values: '{}', mesh });
}

function effective(mesh: JsonObject, annotation: string, objects: KubeObject[] = []): JsonObject {
  const { config, problems } = readProxyConfig(annotation);
  expect(problems).toEqual([]);
  return effectiveProxyConfig(mesh, config, { namespace: 'shop', labels: {}, cluster: filesView(objects) });
}

test('keeps an annotation that was read, unless its aliases make it large', () => {
  const small = 'proxyMetadata: {A: "1"}';
  expect(readProxyConfig(small)).toBe(readProxyConfig(small));
  const aliases = Array.from({ length: 90 }, (_, index) => `A${index}: *x`);
  const large = `proxyMetadata: {A: &x "${'x'.repeat(2000)}", ${aliases.join(', ')}}`;
  expect(Object.keys(readProxyConfig(large).config.proxyMetadata ?? {})).toHaveLength(91);
  expect(readProxyConfig(large)).not.toBe(readProxyConfig(large));
});
