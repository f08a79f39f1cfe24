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

describe('pointers to scalars', () => {
  test.each([
    ['{securityContext: {runAsUser: 13, runAsNonRoot: true, fsGroupChangePolicy: Always}}'],
    ['{securityContext: {runAsUser: null}}'],
    ['{priority: -2147483648}'],
    ['{containers: [{name: a, restartPolicy: Always}]}'],
  ])('%s has the types of Go', (spec) => {
    expect(() => read(spec)).not.toThrow();
  });

  test.each([
    [
      '{securityContext: {runAsUser: "13"}}',
      'a whole number at spec.securityContext.runAsUser, found a string',
    ],
    [
      '{securityContext: {runAsUser: true}}',
      'a whole number at spec.securityContext.runAsUser, found a boolean',
    ],
    ['{securityContext: {runAsUser: {}}}', 'a whole number at spec.securityContext.runAsUser, found a map'],
    ['{priority: 2147483648}', 'a whole number at spec.priority, found a number'],
    ['{shareProcessNamespace: "true"}', 'true or false at spec.shareProcessNamespace, found a string'],
    ['{shareProcessNamespace: 1}', 'true or false at spec.shareProcessNamespace, found a number'],
    [
      '{containers: [{name: a, restartPolicy: 1}]}',
      'a string at spec.containers[0].restartPolicy, found a number',
    ],
  ])('%s is rejected as in Go', (spec, problem) => {
    expect(() => read(spec)).toThrow(`template "t" does not render a Pod: expected ${problem}`);
  });
});
