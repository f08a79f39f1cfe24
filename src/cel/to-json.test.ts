import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { kubernetesEnvironment } from './kubernetes-environment.ts';
import { toJson } from './to-json.ts';

const environment = kubernetesEnvironment({ mutation: true });
const object = JSON.parse('{"spec": {"list": [1, 2.5], "__proto__": {"a": null}}}');

function jsonOf(expression: string): unknown {
  return toJson(compile(expression, environment).evaluate({ object }));
}

describe('toJson', () => {
  it.each<[string, unknown]>([
    ['[1, -5]', [1, -5]],
    ['[5.0, 1.5]', [5, 1.5]],
    ['7u', 7],
    ['9007199254740993', '9007199254740993'],
    ["b'abc'", 'YWJj'],
    ["timestamp('2026-03-01T14:00:00+02:00')", '2026-03-01T12:00:00Z'],
    ["duration('1h30m')", '5400s'],
    ["optional.of('a')", 'a'],
    ['optional.none()', null],
    ["{'a': {'b': [true]}}", { a: { b: [true] } }],
    [
      'Object.spec{a: Object.spec.a{b: 1}, ?c: optional.none(), ?d: optional.of([2.0])}',
      { a: { b: 1 }, d: [2] },
    ],
    ['object.spec', object.spec],
  ])('%s is %j', (expression, json) => {
    expect(jsonOf(expression)).toEqual(json);
  });

  it('a value may be as deep as an object of a review, and a little deeper', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const evaluate = (depth: number) =>
      toJson(compile("{'a': object.spec}", environment).evaluate({ object: { spec: nested(depth) } }));
    expect(evaluate(1100)).toEqual({ a: nested(1100) });
    for (const depth of [1300, 9900]) expect(() => evaluate(depth)).toThrow('nested too deeply');
  });

  it.each([
    ["quantity('1Gi')", "type conversion error from 'Quantity' to '*structpb.Value'"],
    ['int', "type conversion not supported for 'type'"],
    ['[0.0 / 0.0]', 'invalid NaN value'],
    ["{1: 'a'}", "unsupported type conversion from 'int' to string"],
    [`[0]${'.map(x, [x, x])'.repeat(40)}`, 'actual cost limit exceeded'],
  ])('%s is not JSON', (expression, message) => {
    expect(() => jsonOf(expression)).toThrow(message);
  });
});
