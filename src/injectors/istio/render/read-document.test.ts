import { describe, expect, test } from 'vitest';
import { readDocument } from './read-document.ts';

const read = (spec: string) => readDocument(`spec: ${spec}`, 't').spec;

describe('whole numbers', () => {
  test.each([
    ['{terminationGracePeriodSeconds: 30.0}', { terminationGracePeriodSeconds: 30 }],
    ['{terminationGracePeriodSeconds: 3e1}', { terminationGracePeriodSeconds: 30 }],
    ['{securityContext: {runAsUser: 1337.0}}', { securityContext: { runAsUser: 1337 } }],
    [
      '{containers: [{name: a, ports: [{containerPort: 80.0}]}]}',
      { containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] },
    ],
  ])('%s is read as in Go', (spec, expected) => {
    expect(read(spec)).toEqual(expected);
  });

  test.each([
    ['{terminationGracePeriodSeconds: 30.5}', 'spec.terminationGracePeriodSeconds'],
    ['{terminationGracePeriodSeconds: 1e30}', 'spec.terminationGracePeriodSeconds'],
    ['{securityContext: {runAsUser: 13.5}}', 'spec.securityContext.runAsUser'],
    [
      '{containers: [{name: a, ports: [{containerPort: 80.5}]}]}',
      'spec.containers[0].ports[0].containerPort',
    ],
    [
      '{containers: [{name: a, ports: [{containerPort: 2147483648}]}]}',
      'spec.containers[0].ports[0].containerPort',
    ],
  ])('%s is rejected as in Go', (spec, path) => {
    expect(() => read(spec)).toThrow(
      `template "t" does not render a Pod: expected a whole number at ${path}, found a number`,
    );
  });
});
