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

test('a problem does not repeat a long value', () => {
  const result = parse({ mode: ['x'.repeat(100_000)], image: 5 });
  expect(JSON.stringify(result).length).toBeLessThan(300);
});
