import { expect, test } from 'vitest';
import { parseCollector } from './collector.ts';

function parse(spec: object) {
  return parseCollector({
    apiVersion: 'opentelemetry.io/v1beta1',
    kind: 'OpenTelemetryCollector',
    metadata: { name: 'agent' },
    spec,
  });
}

test.each([
  [{ volumes: [{}] }, 'spec.volumes.0: expected a map with name, found Object'],
  [{ volumes: [{ name: '' }] }, 'spec.volumes.0: expected a map with name, found Object'],
  [
    { volumeMounts: [{ name: 'a' }] },
    'spec.volumeMounts.0: expected a map with name and mountPath, found Object',
  ],
  [{ initContainers: [{}] }, 'spec.initContainers.0: expected a map with name, found Object'],
  [{ env: [{}] }, 'spec.env.0: expected a map with name, found Object'],
  [{ env: [null] }, 'spec.env.0: expected a map with name, found null'],
  [
    { configmaps: [{ name: '', mountpath: '' }] },
    'spec.configmaps.0.name: expected a non-empty string, found 0',
  ],
  [{ ports: [5] }, 'spec.ports.0: expected a map, found 5'],
])('%j is invalid', (spec, problem) => {
  expect(parse(spec)).toEqual({ problem: `invalid OpenTelemetryCollector "agent": ${problem}` });
});

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
const init = { name: 'init' };

// The API server could not decode a Pod with these, so the user would get an error for each.
test.each([
  [
    { initContainers: [{ ...init, image: 5 }] },
    'spec.initContainers.0: cannot unmarshal number into Go struct field Container.image of type string',
  ],
  [{ initContainers: [{ ...init, resources: [] }] }, /^spec\.initContainers\.0: cannot unmarshal array/],
  [
    { initContainers: [{ ...init, resources: { limits: { cpu: {} } } }] },
    /^spec\.initContainers\.0: quantities must match/,
  ],
  [
    {
      ports: [
        { name: { toString: 1 }, port: 1 },
        { name: 'a', port: 2 },
      ],
    },
    /^spec\.ports\.0: cannot unmarshal object .* of type string$/,
  ],
  [{ ports: [{ name: 'a', port: '1' }] }, /^spec\.ports\.0: cannot unmarshal string .* of type int32$/],
  [{ ports: [{ name: 'a', port: 1, hostPort: {} }] }, /^spec\.ports\.0: cannot unmarshal object/],
  [{ resources: { limits: 5 } }, /^spec\.resources: cannot unmarshal number/],
  [{ resources: { limits: { cpu: [] } } }, /^spec\.resources: quantities must match/],
  [
    { volumeMounts: [{ name: 'a', mountPath: '/a', subPath: 5 }] },
    /^spec\.volumeMounts\.0: cannot unmarshal number/,
  ],
  [{ volumes: [{ name: 'a', secret: 'x' }] }, /^spec\.volumes\.0: cannot unmarshal string/],
  [{ envFrom: [{ secretRef: [] }] }, /^spec\.envFrom\.0: cannot unmarshal array/],
  [{ env: [{ name: 'A', value: 5 }] }, /^spec\.env\.0: cannot unmarshal number/],
  [{ securityContext: { runAsUser: 'root' } }, /^spec\.securityContext: cannot unmarshal string/],
  [{ lifecycle: { preStop: 5 } }, /^spec\.lifecycle: cannot unmarshal number/],
  [{ livenessProbe: { periodSeconds: 1.5 } }, /^spec\.livenessProbe: cannot unmarshal number 1.5/],
  [{ securityContext: nested(8000) }, 'spec is nested more than 100 levels deep'],
  [{ config: nested(8000) }, 'spec is nested more than 100 levels deep'],
])('%# is of another type than in a Pod', (spec, problem) => {
  const result = parse(spec);
  const text = 'problem' in result ? result.problem : '';
  expect(text.replace('invalid OpenTelemetryCollector "agent": ', '')).toMatch(problem);
});

test('null is absent, except in the configuration', () => {
  const result = parse({
    config: { receivers: { otlp: { protocols: { grpc: null } } } },
    resources: { limits: null },
    initContainers: [{ ...init, image: null, resources: null }],
    ports: [{ name: null, port: 1 }],
  });
  expect(result).toMatchObject({
    spec: {
      config: { receivers: { otlp: { protocols: { grpc: null } } } },
      resources: {},
      initContainers: [init],
    },
  });
  expect('spec' in result && result.spec.ports).toEqual([{ port: 1 }]);
});

test('fields of a newer API server are kept', () => {
  const initContainers = [{ ...init, newer: { a: 1 } }];
  expect(parse({ initContainers })).toMatchObject({ spec: { initContainers } });
});

test('a problem does not repeat a long value', () => {
  const result = parse({ mode: ['x'.repeat(100_000)], image: 5 });
  expect(JSON.stringify(result).length).toBeLessThan(300);
});
