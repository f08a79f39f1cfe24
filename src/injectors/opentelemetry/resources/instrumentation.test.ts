import { expect, test } from 'vitest';
import { parseInstrumentation } from './instrumentation.ts';

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

function parse(spec: object) {
  return parseInstrumentation({
    apiVersion: 'opentelemetry.io/v1alpha1',
    kind: 'Instrumentation',
    metadata: { name: 'inst' },
    spec,
  });
}

// The API server could not decode a Pod with these, so the user would get an error for each.
test.each([
  [{ env: [{ name: 'A', valueFrom: { fieldRef: 5 } }] }, /^spec\.env\.0\.valueFrom: cannot unmarshal number/],
  [{ java: { resources: { limits: { cpu: {} } } } }, /^spec\.java\.resources: quantities must match/],
  [{ python: { resourceRequirements: { requests: 'x' } } }, /^spec\.python\.resourceRequirements: cannot/],
  [
    { initContainerSecurityContext: { runAsUser: {} } },
    /^spec\.initContainerSecurityContext: cannot unmarshal/,
  ],
  [{ go: { securityContext: { capabilities: [] } } }, /^spec\.go\.securityContext: cannot unmarshal array/],
  [
    { java: { volumeClaimTemplate: { spec: [] } } },
    /^spec\.java\.volumeClaimTemplate: cannot unmarshal array/,
  ],
  [{ initContainerSecurityContext: nested(8000) }, 'spec is nested more than 100 levels deep'],
])('%# is of another type than in a Pod', (spec, problem) => {
  const result = parse(spec);
  const text = 'problem' in result ? result.problem : '';
  expect(text.replace('invalid Instrumentation "inst": ', '')).toMatch(problem);
});

test('null is absent', () => {
  const spec = { java: { resources: { limits: null } }, env: [{ name: 'A', valueFrom: { fieldRef: null } }] };
  expect(parse(spec)).toMatchObject({
    spec: { java: { resources: {} }, env: [{ name: 'A', valueFrom: {} }] },
  });
});
