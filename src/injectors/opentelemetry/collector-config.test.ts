import { describe, expect, test } from 'vitest';
import { readCollector } from './collector.ts';
import { collectorPorts, healthProbe } from './collector-config.ts';

function specOf(spec: object) {
  const collector = readCollector({
    apiVersion: 'opentelemetry.io/v1beta1',
    kind: 'OpenTelemetryCollector',
    metadata: { name: 'agent' },
    spec,
  });
  if ('problem' in collector) throw new Error(collector.problem);
  return collector.spec;
}

describe('the ports of a collector', () => {
  test('are those of its receivers and Prometheus exporters, by name', () => {
    const receivers = {
      otlp: { protocols: { grpc: null, http: { endpoint: '0.0.0.0:5000' } } },
      'zipkin/edge': {},
      hostmetrics: {},
    };
    const exporters = { 'prometheus/prod': { endpoint: '0.0.0.0:8884' }, otlp: { endpoint: 'far:4317' } };
    expect(collectorPorts(specOf({ config: { receivers, exporters } }))).toEqual([
      { containerPort: 4317, name: 'otlp-grpc' },
      { containerPort: 5000, name: 'otlp-http' },
      { containerPort: 8884, name: 'prometheus-prod' },
      { containerPort: 9411, name: 'zipkin-edge' },
    ]);
  });

  test('are named by the resource first', () => {
    const config = { receivers: { otlp: { protocols: { grpc: {} } } } };
    const ports = [{ name: 'mine', port: 4317, protocol: 'TCP' }];
    expect(collectorPorts(specOf({ config, ports }))).toEqual([
      { containerPort: 4317, name: 'mine', protocol: 'TCP' },
    ]);
  });

  test('have names that Kubernetes takes', () => {
    const receivers = { 'a_very_long_receiver/name': { endpoint: ':1234' } };
    expect(collectorPorts(specOf({ config: { receivers } }))[0]?.name).toBe('port-1234');
  });

  test('have names that differ', () => {
    const config = { receivers: { otlp: { protocols: { grpc: {} } } } };
    const ports = [{ name: 'otlp-grpc', port: 14317 }];
    expect(collectorPorts(specOf({ config, ports }))).toEqual([
      { containerPort: 14317, name: 'otlp-grpc' },
      { containerPort: 4317, name: 'port-4317' },
    ]);
  });
});

test('a collector is probed where its health check is in service', () => {
  const extensions = { health_check: { path: '/healthz' } };
  expect(healthProbe({ extensions, service: { extensions: ['health_check'] } })).toEqual({
    httpGet: { path: '/healthz', port: 13133 },
  });
  expect(healthProbe({ extensions, service: {} })).toBeUndefined();
  expect(healthProbe('extensions: {}')).toBeUndefined();
});
