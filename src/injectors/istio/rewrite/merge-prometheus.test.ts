import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { mergePrometheus } from './merge-prometheus.ts';
import { withSecurePort } from './secure-port.ts';

const OPTIONS = { statusPort: '15020', isReinjection: false };

describe('Prometheus annotations', () => {
  test.each([
    [{ 'prometheus.io/port': '8080' }, { scrape: '', path: '', port: '8080' }],
    [
      {
        'prometheus.io/port': '1',
        'prometheus.io/path': '/m',
        'prometheus.istio.io/scrape-targets': '8080:/a, 81',
      },
      {
        scrape: '',
        path: '/a',
        port: '8080',
        targets: [
          { port: '8080', path: '/a' },
          { port: '81', path: '/metrics' },
        ],
      },
    ],
    [
      { 'prometheus.io/port': '8080', 'prometheus.istio.io/scrape-targets': ':/a' },
      { scrape: '', path: '', port: '8080' },
    ],
  ])('%j move to the environment', (annotations, expected) => {
    const merged = mergePrometheus(podWith(annotations), {}, OPTIONS);
    const { spec, metadata } = ('pod' in merged ? merged.pod : {}) as {
      spec: { containers: [{ env: [{ value: string }] }] };
      metadata: JsonObject;
    };
    expect(JSON.parse(spec.containers[0].env[0].value)).toEqual(expected);
    expect(metadata.annotations).toEqual({
      'prometheus.io/port': '15020',
      'prometheus.io/path': '/stats/prometheus',
      'prometheus.io/scrape': 'true',
    });
  });

  test.each([
    ['prometheus.io/port', 'http'],
    ['prometheus.io/port', '15090'],
    ['prometheus.io/port', '0'],
    ['prometheus.istio.io/scrape-targets', '80,15090'],
    ['prometheus.istio.io/scrape-targets', 'x'],
  ])('%s: %s is refused', (name, value) => {
    expect(mergePrometheus(podWith({ [name]: value }), {}, OPTIONS)).toEqual({
      refused: expect.stringContaining(`Cannot read annotation "${name}"`),
    });
  });
});

test('the port for secure scrapes comes from the environment of the proxy, and the user wins', () => {
  const env = [{ name: 'ENVOY_SECURE_MERGED_METRICS_PORT', value: '15022' }];
  const annotationsOf = (pod: JsonObject) => (withSecurePort(pod).metadata as JsonObject).annotations;
  expect(annotationsOf(podWith({}, env))).toEqual({ 'prometheus.istio.io/secure-port': '15022' });
  expect(annotationsOf(podWith({ 'prometheus.istio.io/secure-port': '1' }, env))).toEqual({
    'prometheus.istio.io/secure-port': '1',
  });
  expect(annotationsOf(podWith({}, [{ name: 'ENVOY_SECURE_MERGED_METRICS_PORT', value: '0' }]))).toEqual({});
});

function podWith(annotations: object, env: readonly object[] = []): JsonObject {
  return {
    metadata: { annotations },
    spec: { containers: [{ name: 'istio-proxy', env }] },
  } as unknown as JsonObject;
}
