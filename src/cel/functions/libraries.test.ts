import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { kubernetesEnvironment } from '../kubernetes-environment.ts';

const environment = kubernetesEnvironment({ mutation: true });
const object = JSON.parse(
  '{"list": [3, 1, 2, 1], "text": "a,b", "mixed": [1, "a"], "addr": "10.1.2.3", "n": null}',
);

function evaluate(expression: string): unknown {
  return compile(expression, environment).evaluate({ object });
}

// The library functions have their own tests: this is about their names, types and dispatch.
describe('libraries', () => {
  it.each<[string, unknown]>([
    ["object.text.split(',').map(s, s.upperAscii()).join('-')", 'A-B'],
    ["'tacocat'.substring(2, 5).indexOf('c') + 'abc'.charAt(1).size()", 1],
    ["'%s: %d'.format([object.text, size(object.list)])", 'a,b: 4'],
    ["strings.quote('a\"b')", '"a\\"b"'],
    ["object.text.matches('^[a-z],') && matches('a', '.')", true],
    ["object.text.find('[b-z]') + object.text.findAll('[a-z]', 1)[0]", 'ba'],
    ['object.list.sum() + object.list.max() + object.list.min() + object.list.indexOf(1)', 12],
    ['object.list.isSorted() || [1, 2].isSorted()', true],
    ['object.list.sort().distinct().reverse()', [3, 2, 1]],
    ['object.list.sortBy(x, -x).slice(0, 2)', [3, 2]],
    ['[[1], [2, 3]].flatten() + lists.range(2)', [1, 2, 3, 0, 1]],
    [
      'sets.contains(object.list, [1, 1]) && !sets.intersects([1], [2]) && sets.equivalent([1, 1], [1])',
      true,
    ],
    ["quantity('1Gi').isGreaterThan(quantity('512Mi')) && sign(quantity('-1')) == -1", true],
    ["quantity('1k').add(24).asInteger()", 1024],
    ["ip(object.addr).family() + cidr('10.0.0.0/8').prefixLength()", 12],
    [
      "cidr('10.0.0.0/8').containsIP(object.addr) && string(cidr('10.1.0.0/8').masked()) == '10.0.0.0/8'",
      true,
    ],
    ["url('https://example.com:8443/a?b=c').getPort() + url('/x?b=c').getQuery()['b'][0]", '8443c'],
    ["semver('1.2.3').isLessThan(semver('v1.3', true)) && isSemver('1.0.0')", true],
    ["format.dns1123Label().validate('ok').hasValue() || format.named('nope').hasValue()", false],
    ["optional.ofNonZeroValue('').or(optional.of('a')).value()", 'a'],
    ['[1, 2].first().value() + [1, 2].last().value()', 3],
    ["jsonpatch.escapeKey('a/b~c')", 'a~1b~0c'],
    ['has(Object.spec{a: 1}.b) || Object{a: 1} == Object{a: 2}', false],
    ["JSONPatch{op: 'add', path: '/a'}.op", 'add'],
    ['google.protobuf.Int64Value{value: 3} + google.protobuf.Duration{seconds: 2}.getSeconds()', 5],
  ])('%s', (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['object.n.startsWith("a")', 'no such overload'],
    ['object.n.lowerAscii()', 'no such overload: lowerAscii(null_type)'],
    ['object.mixed.sum()', 'no such overload'],
    ["object.mixed.join(',')", 'no such overload: join(list, string)'],
    ['object.mixed.sort()', 'list elements must have the same type'],
    ['[].min()', 'min called on empty list'],
    ["cidr('10.0.0.0/8').containsIP('x')", 'no such overload'],
    ["object.text.find(object.text + '(')", 'Illegal regex: error parsing regexp: missing closing ): `a,b(`'],
    ["quantity('1K')", "unable to parse quantity's suffix"],
    ["dyn(quantity('1')) == 1", 'no such overload'],
  ])('%s fails: %s', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  it.each<[string, string]>([
    ["'a'.matches('(')", '1:13: invalid matches argument'],
    [
      "'%d'.format(['x'])",
      '1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    ["'%s'.format([1, 2])", '1:12: too many arguments supplied to string.format (expected 1, got 2)'],
    ["quantity('1') < quantity('2')", "found no matching overload for '_<_'"],
    ['[JSONPatch{val: 1}]', "expected type of field 'val' is '' but provided type is 'int'"],
    ["'a'.find('(')", 'program instantiation failed: error parsing regexp: missing closing ): `(`'],
  ])('%s does not compile: %s', (expression, message) => {
    expect(() => compile(expression, environment)).toThrow(message);
  });
});
