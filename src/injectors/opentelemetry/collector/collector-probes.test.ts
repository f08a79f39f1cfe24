import { expect, test } from 'vitest';
import { collectorProbes } from './collector-probes.ts';

const service = { extensions: ['health_check'] };

function probes(config: object, spec: object = {}) {
  return collectorProbes(JSON.parse(JSON.stringify(config)), spec as never);
}

test('an enabled health check has three probes', () => {
  const extensions = { health_check: { path: '/healthz', endpoint: '0.0.0.0:1' } };
  const probe = { httpGet: { path: '/healthz', port: 1 } };
  expect(probes({ extensions, service })).toEqual({
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
  });
});

test('the resource sets their timing only', () => {
  const httpGet = { path: '/', port: 13133 };
  const spec = {
    livenessProbe: { initialDelaySeconds: 5, httpGet: { port: 1 } },
    startupProbe: { failureThreshold: 30 },
  };
  expect(probes({ extensions: { health_check: {} }, service }, spec)).toEqual({
    livenessProbe: { httpGet, initialDelaySeconds: 5 },
    readinessProbe: { httpGet },
    startupProbe: { httpGet, failureThreshold: 30 },
  });
});

test('version 2 of the health check has its own settings', () => {
  const extensions = { healthcheckv2: { http: { endpoint: ':2', status: { path: '/s' } } } };
  const config = { extensions, service: { extensions: ['healthcheckv2'] } };
  expect(probes(config).livenessProbe).toEqual({ httpGet: { path: '/s', port: 2 } });
});

test.each([
  [{ extensions: { health_check: {} }, service: {} }],
  [{ service }],
  [{ extensions: { pprof: {} }, service: { extensions: ['pprof'] } }],
])('%j has no probes, even if the resource sets timing', (config) => {
  expect(probes(config, { livenessProbe: { initialDelaySeconds: 5 } })).toEqual({});
});
