import { expect, test } from 'vitest';
import { withDefaults } from './default-config.ts';

const telemetry = {
  metrics: { readers: [{ pull: { exporter: { prometheus: { host: '0.0.0.0', port: 8888 } } } }] },
};

function receiver(type: string, settings: unknown) {
  const service = { pipelines: { traces: { receivers: [type], exporters: [] } } };
  const config = JSON.parse(JSON.stringify({ receivers: { [type]: settings }, exporters: {}, service }));
  return withDefaults(config).receivers;
}

test.each([
  ['otlp', { protocols: { grpc: null } }, { protocols: { grpc: { endpoint: '0.0.0.0:4317' } } }],
  [
    'otlp',
    { protocols: { http: { cors: {} } } },
    { protocols: { http: { cors: {}, endpoint: '0.0.0.0:4318' } } },
  ],
  ['otlp', null, { protocols: {} }],
  ['otlp/2', { protocols: { grpc: { endpoint: ':1' } } }, { protocols: { grpc: { endpoint: '0.0.0.0:1' } } }],
  ['otlp', { protocols: { unknown: {} } }, { protocols: { unknown: {} } }],
  ['zipkin', null, { endpoint: '0.0.0.0:9411' }],
  ['zipkin', { endpoint: '' }, { endpoint: '0.0.0.0:9411' }],
  ['zipkin', { endpoint: 'localhost:1' }, { endpoint: 'localhost:1' }],
  ['zipkin', 'text', 'text'],
  ['statsd', { listen_address: ':1' }, { listen_address: ':1', endpoint: '0.0.0.0:1' }],
  ['filelog', { include: [] }, { include: [] }],
  ['tcplog', {}, {}],
  ['unknown', null, null],
])('receiver %s with %j gets %j', (type, settings, expected) => {
  expect(receiver(type, settings)).toEqual({ [type]: expected });
});

test('components that are not in use stay as they are', () => {
  const receivers = { otlp: { protocols: { grpc: {} } } };
  const config = { receivers, exporters: { prometheus: {} }, extensions: { health_check: {} } };
  expect(withDefaults(config)).toEqual({ ...config, service: { telemetry, pipelines: {} } });
});

test('health checks and Prometheus exporters get endpoints', () => {
  const config = withDefaults({
    receivers: {},
    exporters: { prometheus: {} },
    extensions: { health_check: {}, healthcheckv2: { http: {} } },
    service: {
      extensions: ['health_check', 'healthcheckv2'],
      pipelines: { metrics: { receivers: [], exporters: ['prometheus'] } },
    },
  });
  expect(config.exporters).toEqual({ prometheus: { endpoint: '0.0.0.0:8888' } });
  expect(config.extensions).toEqual({
    health_check: { endpoint: '0.0.0.0:13133', path: '/' },
    healthcheckv2: { http: { endpoint: '0.0.0.0:13133', status: { path: '/health/status' } } },
  });
});

test.each([
  [undefined, telemetry],
  [
    { logs: {}, metrics: { level: 'none' } },
    { logs: {}, metrics: { level: 'none', ...telemetry.metrics } },
  ],
  [{ metrics: { readers: [] } }, telemetry],
  [{ metrics: { address: ':1' } }, { metrics: { address: ':1' } }],
  [{ metrics: { readers: [{}] } }, { metrics: { readers: [{}] } }],
])('telemetry %j becomes %j', (own, expected) => {
  const service = own === undefined ? {} : { telemetry: own };
  expect(withDefaults({ service })).toMatchObject({ service: { telemetry: expected } });
});

test('defaults that are already there change nothing', () => {
  const service = {
    extensions: ['health_check'],
    pipelines: { traces: { receivers: ['otlp'], exporters: [] } },
  };
  const receivers = { otlp: { protocols: { grpc: {}, http: {} } } };
  const once = withDefaults({ receivers, exporters: {}, extensions: { health_check: {} }, service });
  expect(withDefaults(once)).toEqual(once);
});

test('a component called __proto__ is an ordinary key', () => {
  const config = JSON.parse(
    '{"receivers":{"__proto__":{"a":1},"constructor":{}},"service":{"pipelines":{"traces":{"receivers":["__proto__","constructor"]}}}}',
  );
  expect(JSON.stringify(withDefaults(config).receivers)).toBe('{"__proto__":{"a":1},"constructor":{}}');
});
