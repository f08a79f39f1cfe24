import { describe, expect, test } from 'vitest';
import { collectorPorts } from './collector-ports.ts';

const METRICS = { containerPort: 8888, name: 'metrics' };

function configOf(receivers: object, exporters: object = {}, service: object = {}) {
  const traces = { receivers: Object.keys(receivers), exporters: Object.keys(exporters) };
  return JSON.parse(JSON.stringify({ receivers, exporters, service: { pipelines: { traces }, ...service } }));
}

describe('collectorPorts', () => {
  test('returns the ports of receivers, Prometheus exporters and own metrics, sorted by name', () => {
    const receivers = {
      otlp: { protocols: { grpc: null, http: { endpoint: '0.0.0.0:5000' } } },
      'zipkin/edge': {},
      hostmetrics: {},
      redis: { endpoint: 'localhost:6379' },
      statsd: {},
    };
    const exporters = { 'prometheus/prod': { endpoint: '0.0.0.0:8884' }, otlp: { endpoint: 'far:4317' } };
    expect(collectorPorts(configOf(receivers, exporters), [])).toEqual([
      METRICS,
      { containerPort: 4317, name: 'otlp-grpc' },
      { containerPort: 5000, name: 'otlp-http' },
      { containerPort: 8884, name: 'prometheus-prod' },
      { containerPort: 8125, name: 'statsd', protocol: 'UDP' },
      { containerPort: 9411, name: 'zipkin-edge' },
    ]);
  });

  test('ignores components that no pipeline names', () => {
    const { service: _, ...config } = configOf({ otlp: { protocols: { grpc: {} } } });
    expect(collectorPorts(config, [])).toEqual([METRICS]);
  });

  test('includes the ports of enabled extensions', () => {
    const extensions = { health_check: { endpoint: `\${env:POD_IP}:13134` }, pprof: {}, jaeger_query: {} };
    const config = { ...configOf({}, {}, { extensions: ['health_check', 'jaeger_query'] }), extensions };
    expect(collectorPorts(config, [])).toEqual([
      { containerPort: 13134, name: 'health-check' },
      { containerPort: 16686, name: 'jaeger-query' },
      METRICS,
    ]);
  });

  test('adds the ports of the resource and overrides those with the same name', () => {
    const config = configOf({ otlp: { protocols: { grpc: {} } } });
    const ports = [
      { name: 'otlp-grpc', port: 14317, hostPort: 4317 },
      { name: 'mine', port: 4317, protocol: 'TCP' },
    ];
    expect(collectorPorts(config, ports as never)).toEqual([
      METRICS,
      { containerPort: 4317, name: 'mine', protocol: 'TCP' },
      { containerPort: 14317, name: 'otlp-grpc', hostPort: 4317 },
    ]);
  });

  test('generates names that Kubernetes accepts', () => {
    const receivers = {
      'a_very_long_receiver/name': { endpoint: ':1234' },
      'Upper/1': { endpoint: ':1235' },
    };
    expect(collectorPorts(configOf(receivers), []).map(({ name }) => name)).toEqual([
      'metrics',
      'port-1234',
      'port-1235',
    ]);
  });

  test.each([
    [{ address: `\${env:POD_IP}:9000` }, 9000],
    [{ address: '0.0.0.0' }, 8888],
    [{ readers: [{ periodic: {} }, { pull: { exporter: { prometheus: { port: 9001 } } } }] }, 9001],
    [{ level: 'none' }, 8888],
  ])('the port of own metrics with %j is %i', (metrics, containerPort) => {
    const config = configOf({}, {}, { telemetry: { metrics } });
    expect(collectorPorts(config, [])).toEqual([{ containerPort, name: 'metrics' }]);
  });

  test.each(['constructor', '__proto__', 'toString'])('a receiver called %s has no port', (name) => {
    const config = JSON.parse(
      `{"receivers":{"${name}":{"protocols":{"${name}":{}}}},"service":{"pipelines":{"traces":{"receivers":["${name}","otlp"]}}}}`,
    );
    expect(collectorPorts(config, [])).toEqual([METRICS]);
  });

  test('ignores values of wrong types', () => {
    const receivers = { otlp: 'no', zipkin: { endpoint: 4 }, jaeger: { protocols: [1] }, syslog: { tcp: 5 } };
    const config = { ...configOf(receivers), extensions: [], exporters: null };
    expect(collectorPorts(config, [])).toEqual([METRICS, { containerPort: 9411, name: 'zipkin' }]);
    expect(collectorPorts({ service: { pipelines: [null], extensions: {} } }, [])).toEqual([METRICS]);
  });
});
