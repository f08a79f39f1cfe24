import { describe, expect, it } from 'vitest';
import { CelError } from './cel-error.ts';
import { compile } from './compile.ts';
import { CelCompileError } from './compile-error.ts';
import { createEnvironment } from './environment.ts';
import type { Budget } from './program.ts';
import { BOOL, DYN, INT, listOf, NULL, STRING, struct } from './types.ts';
import { Optional } from './values/optional.ts';
import { Double, Uint } from './values/values.ts';

const environment = createEnvironment({
  variables: { object: DYN, request: struct('Request'), names: listOf(STRING), count: INT },
  structs: { Request: { name: STRING, user: struct('User') }, User: { groups: listOf(STRING) } },
});
const object = JSON.parse(`{
  "metadata": {"labels": {"app": "web", "example.com/team": "a"}},
  "spec": {"replicas": 3, "ratio": 0.5, "list": [1, 2, 3], "nothing": null, "text": "hello", "__proto__": {"x": 1}}
}`);
const bindings = { object, request: { name: 'r', user: { groups: ['g'] } }, names: ['a', 'b'], count: 7 };

function evaluate(expression: string, budget?: Budget): unknown {
  return compile(expression, environment).evaluate(bindings, budget);
}

function costOf(expression: string): number {
  const budget = { remaining: 10_000_000 };
  evaluate(expression, budget);
  return 10_000_000 - budget.remaining;
}

describe('evaluate', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3 - 4 / 2 % 3', 5],
    ['-7 / 2', -3],
    ['0 * -1', 0],
    ['3037000500 * 3037000499', 9223372033963249500n],
    ["'toString' in object.spec || '__proto__' in object.metadata", false],
    ['9223372036854775807', 9223372036854775807n],
    ['9007199254740991 + 2 - 2', 9007199254740991],
    ['1.0 + 1.0', new Double(2)],
    ['7u * 6u', new Uint(42n)],
    ["'a' + 'b' + r'\\n'", 'ab\\n'],
    ['[1] + [2, 3]', [1, 2, 3]],
    ['object.spec.replicas > 2 && object.spec.ratio < 1', true],
    ["object.metadata.labels['example.com/team'] == 'a'", true],
    ["'app' in object.metadata.labels", true],
    ['has(object.metadata.labels) && !has(object.metadata.name) && has(object.spec.nothing)', true],
    ['has(object.spec.toString) || has(object.spec.constructor)', false],
    ['object.spec.__proto__.x', 1],
    ['object.spec.list.all(x, x > 0) && object.spec.list.exists(x, x == 2)', true],
    ['object.spec.list.filter(x, x % 2 == 1).map(x, x * 10)', [10, 30]],
    ['object.spec.list.map(x, x > 1, [x])', [[2], [3]]],
    ['[1, 2, 2].exists_one(x, x == 1)', true],
    ['object.metadata.labels.map(k, k).size()', 2],
    ['names.transformList(i, v, v + string(i))', ['a0', 'b1']],
    ['names.all(i, v, names[i] == v)', true],
    ["{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", true],
    ["names.transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}", true],
    ["object.spec.?missing.orValue('x')", 'x'],
    ['object.?missing.a.b.hasValue()', false],
    ['object.spec.?nothing', new Optional(null)],
    ['object.spec.?text.optMap(t, t.size()).value()', 5],
    ['[?object.spec.?text, ?object.spec.?missing]', ['hello']],
    ["{?'a': object.spec.?text} == {'a': 'hello'}", true],
    ['object.spec.list[?9].or(optional.of(4)).value()', 4],
    ["{1: 'a', 2: 'b'}[dyn(2.0)]", 'b'],
    ['dyn(1) == 1.0 && dyn(1) == 1u && [dyn(1)] == [1.0]', true],
    ["1 < 1.5 && -1 < 1u && 'Z' < 'a' && '\\uFFFD' < '\\U0001F600'", true],
    ['true ? 1 : 1 / 0', 1],
    ['1 / 0 == 1 || true', true],
    ["object.spec.missing == 'x' && false", false],
    ["size('a😀') + 'abc'.size() + [1].size() + {}.size()", 6],
    ["timestamp('2026-03-01T12:00:00Z') + duration('1h') == timestamp('2026-03-01T13:00:00Z')", true],
    ["timestamp('2026-03-01T12:00:00Z').getHours('+02:00')", 14],
    ['type(1) == int && type([]) == list && type(null) == null_type && type(int) == type', true],
    ['[[], [1]].map(l, l.size())', [0, 1]],
    ['count + 1 > size(names)', true],
    ['request.user.groups[0]', 'g'],
    ['// only a comment before\n1 // and after', 1],
  ])('%s', (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['1 / (count - 7)', 'division by zero'],
    ['9223372036854775807 + count', 'integer overflow'],
    ['object.spec.missing', 'no such key: missing'],
    ['object.spec.list[3]', 'index out of bounds: 3'],
    ["object.spec.list['a']", "unsupported index type 'string' in list"],
    ['object.spec.text.x', 'no such key: x'],
    ['object.spec.text < 1', 'no such overload'],
    ['object.spec.list + 1', 'no such overload'],
    ['-object.spec.list', 'no such overload: -_'],
    ['-object.spec.text', 'no such overload'],
    ['object.spec.text.all(c, true)', "got 'types.String', expected iterable type"],
    ['object.spec.missing || object.spec.text', 'no such key: missing'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['int(object.spec.text)', "type conversion error from 'string' to 'int'"],
    ['string(object.spec.list)', 'no such overload: string(list)'],
    ["{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})", 'insert failed: key x already exists'],
  ])('%s fails: %s', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(new CelError(message));
  });

  it('names variables that are not bound', () => {
    const program = compile('count == 1', environment);
    expect(() => program.evaluate({})).toThrow(new CelError('no such attribute(s): count'));
  });

  it('works on deeply frozen values', () => {
    const frozen = Object.freeze({
      object: Object.freeze({ spec: Object.freeze({ list: Object.freeze([1]) }) }),
    });
    expect(compile('object.spec.list + [2]', environment).evaluate(frozen)).toEqual([1, 2]);
  });
});

describe('cost', () => {
  it.each<[string, number]>([
    ['1 + 1', 1],
    ['object.spec.replicas', 3],
    ['object.spec.list.all(x, x > 0)', 19],
    ['object.spec.list.map(x, [x])', 73],
    ['[1, 2, 2].exists_one(x, x == 2)', 12],
    ["object.spec.?text.optMap(t, t + '!')", 11],
    ["'a' in ['a', 'b']", 0],
    ["object.spec.text == 'hello'", 4],
  ])('%s costs %i', (expression, cost) => {
    expect(costOf(expression)).toBe(cost);
  });

  it('ends an expression that exceeds the limit, even if another operand would decide', () => {
    const list = Array.from({ length: 1000 }, (_, i) => i);
    const program = compile('object.all(x, object.all(y, x + y >= 0)) || true', environment);
    expect(() => program.evaluate({ object: list })).toThrow(
      'operation cancelled: actual cost limit exceeded',
    );
  });

  it('spends from a budget, and fails when it is exhausted', () => {
    const budget = { remaining: 5 };
    evaluate('object.spec.replicas', budget);
    expect(budget.remaining).toBe(2);
    expect(() => evaluate('object.spec.replicas', budget)).toThrow('running out of cost budget');
  });
});

describe('compile', () => {
  it.each<[string, string]>([
    ['1 +', "1:4: Syntax error: mismatched input '<EOF>'"],
    ['(1', "1:3: Syntax error: mismatched input '<EOF>'"],
    ['object.spec.in', '1:13: Syntax error'],
    ["'abc", "1:1: Syntax error: token recognition error at: ''abc'"],
    ['if', '1:1: reserved identifier: if'],
    ['1e400', '1:1: invalid double literal'],
    ['9223372036854775808', '1:1: invalid int literal'],
    ['object.`a`', "1:8: unsupported syntax: '`'"],
    ['nope', "1:1: undeclared reference to 'nope' (in container '')"],
    ["'a'.nope()", "1:9: undeclared reference to 'nope' (in container '')"],
    ['request.nope', "1:8: undefined field 'nope'"],
    ["'abc'.x", "1:6: type 'string' does not support field selection"],
    ["1 + 'a'", "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ["'a'.startsWith(1)", "1:15: found no matching overload for 'startsWith' applied to 'string.(int)'"],
    ['1 && true', "1:1: expected type 'bool' but found 'int'"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ['[1, object]', "1:5: expected type 'int' but found 'dyn'"],
    [
      '[1].filter(x, x)',
      "1:11: found no matching overload for '_?_:_' applied to '(int, list(int), list(int))'",
    ],
    ["'abc'.all(c, true)", "1:1: expression of type 'string' cannot be range of a comprehension"],
    ['has(object)', '1:5: invalid argument to has() macro'],
    ['[1].all(x.y, true)', '1:10: argument must be a simple name'],
    ['[1].all(x, x, true)', '1:12: duplicate variable name: x'],
    ["timestamp('2026-03-01')", '1:11: invalid timestamp argument'],
    ["duration('1 day')", '1:10: invalid duration argument'],
  ])('refuses %s: %s', (expression, text) => {
    expect(() => compile(expression, environment)).toThrow(`compilation failed: ERROR: <input>:${text}`);
  });

  it('prints every issue in order, with the line and a pointer', () => {
    expect(() => compile("'é' + foo +\n\tbar", environment)).toThrow(
      [
        "compilation failed: ERROR: <input>:1:7: undeclared reference to 'foo' (in container '')",
        " | 'é' + foo +",
        ' | .．....^',
        "ERROR: <input>:2:2: undeclared reference to 'bar' (in container '')",
        ' |  bar',
        ' | .^',
      ].join('\n'),
    );
  });

  it('gives the issues as data', () => {
    const error = thrownBy(() => compile('\n  foo', environment));
    expect(error).toBeInstanceOf(CelCompileError);
    expect(error).toMatchObject({
      expression: '\n  foo',
      issues: [{ line: 2, column: 3, text: "undeclared reference to 'foo' (in container '')" }],
    });
  });

  it('checks the type of the result', () => {
    expect(compile('1 == 1', environment, { resultType: BOOL }).type).toEqual(BOOL);
    expect(() => compile('object', environment, { resultType: BOOL })).toThrow(
      'must evaluate to bool but got dyn',
    );
    expect(() => compile('5', environment, { resultType: [STRING, NULL] })).toThrow(
      'must evaluate to one of [string null_type] but got int',
    );
    expect(thrownBy(() => compile('object', environment, { resultType: BOOL }))).toMatchObject({
      issues: [{ line: 1, column: 1, text: 'must evaluate to bool but got dyn' }],
    });
  });

  it('refuses constant conversions that fail', () => {
    expect(() => compile("int('x')", environment)).toThrow(
      "program instantiation failed: type conversion error from 'string' to 'int'",
    );
  });

  it('limits size and nesting', () => {
    const text = (expression: string) => String(thrownBy(() => compile(expression, environment)));
    expect(text(`${'('.repeat(250)}1${')'.repeat(250)}`)).toContain(
      '-1:0: expression recursion limit exceeded: 250',
    );
    expect(text(`1${'+1'.repeat(251)}`)).toContain('-1:0: max recursion depth exceeded');
    expect(text(`'${'a'.repeat(100_000)}'`)).toContain(
      'expression code point size exceeds limit: size: 100002',
    );
    expect(compile(`true${'&&true'.repeat(10_000)}`, environment).evaluate({})).toBe(true);
    expect(compile(`1${'+1'.repeat(250)}`, environment).evaluate({})).toBe(251);
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
