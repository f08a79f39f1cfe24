import { expect, test } from 'vitest';
import { typeProblem } from './type-problem.ts';

test.each([
  [
    'Container',
    { name: 'x', image: 5 },
    'cannot unmarshal number into Go struct field Container.image of type string',
  ],
  ['Container', { name: 'x', image: null, resources: { limits: null }, newer: { a: 1 } }, undefined],
  [
    'ResourceRequirements',
    { limits: { cpu: 'lots' } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
])('a %s with %j', (definition, value, problem) => {
  expect(typeProblem(value, definition)).toBe(problem);
});

test('the problem is short, whatever the value', () => {
  const metadata = { creationTimestamp: 'x'.repeat(100_000) };
  expect(typeProblem({ metadata }, 'PersistentVolumeClaimTemplate')?.length).toBeLessThan(400);
});

test('a definition that does not exist is a mistake of the caller', () => {
  expect(() => typeProblem({}, 'Contaner')).toThrow('Contaner');
});
