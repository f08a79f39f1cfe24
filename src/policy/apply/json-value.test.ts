import { describe, expect, it } from 'vitest';
import { compile } from '../../cel/compile.ts';
import { kubernetesEnvironment } from '../../cel/kubernetes-environment.ts';
import { jsonValue } from './json-value.ts';

const environment = kubernetesEnvironment({ mutation: true });

describe('jsonValue', () => {
  it.each([
    ['int', "type conversion not supported for 'type'"],
    ['0.0 / 0.0', 'proto: google.protobuf.Value.number_value: invalid NaN value'],
    ["{1: 'a'}", "unsupported type conversion from 'int' to string"],
    [`[0]${'.map(x, [x, x])'.repeat(40)}`, 'actual cost limit exceeded'],
  ])('%s has no JSON', (expression, message) => {
    expect(resultOf(expression)).toEqual({ error: expect.stringContaining(message) });
  });

  it('a list of objects panics, unless it is in an object', () => {
    expect(resultOf('[Object{}]')).toEqual({ panic: true });
    expect(resultOf('[[Object{}]]')).toEqual({ panic: true });
    expect(resultOf('Object{a: [Object.a{b: 1}]}')).toEqual({ json: { a: [{ b: 1 }] } });
  });
});

function resultOf(expression: string) {
  return jsonValue(compile(expression, environment).evaluate({}));
}
