import { expect, test } from 'vitest';
import { CostError } from '../cost-error.ts';
import { limitWork } from '../work.ts';
import { compilePattern, findAllPattern, findPattern, matchesPattern } from './regexp.ts';

test.each([
  ['foobar', 'oba', true],
  ['foobar', '^oba', false],
  ['FOO', '(?i)foo', true],
  ['a\nb', 'a.b', false],
  ['a\nb', '(?s)a.b', true],
  ['é', '\\w', false],
  ['é', '\\p{L}', true],
  ['é', '\\p{letter}', true],
  ['😀', '^.$', true],
  ['ab', '(?P<x>a)(?<y>b)', true],
])('%j matches %s: %s', (text, pattern, expected) => {
  expect(matchesPattern(text, compilePattern(pattern))).toBe(expected);
});

test('patterns are compiled once, but large ones are not kept', () => {
  expect(compilePattern('[a-z]{100}')).toBe(compilePattern('[a-z]{100}'));
  const large = '(ab){500}';
  expect(compilePattern(large).programSize()).toBeGreaterThan(1000);
  expect(compilePattern(large)).not.toBe(compilePattern(large));
});

test('find returns the leftmost match, or nothing', () => {
  expect(findPattern('key=value', compilePattern('=(.*)'))).toBe('=value');
  expect(findPattern('key', compilePattern('\\d+'))).toBe('');
});

test.each<[string, string, number | bigint | undefined, string[]]>([
  ['1 22 3', '\\d+', undefined, ['1', '22', '3']],
  ['1 22 3', '\\d+', 2n, ['1', '22']],
  ['1 22 3', '\\d+', 0, []],
  ['1 22 3', '\\d+', -7, ['1', '22', '3']],
  ['baac', 'a*', undefined, ['', 'aa', '']],
  ['a😀b', '', undefined, ['', '', '', '']],
  ['', 'x', undefined, []],
])('%j.findAll(%s, %s) is %j', (text, pattern, limit, expected) => {
  expect(findAllPattern(text, compilePattern(pattern), limit)).toEqual(expected);
});

test.each([
  ['(', 'missing closing ): `(`'],
  ['a)', 'unexpected ): `a)`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(a{100}){100}', 'invalid repeat count: `{100}`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['\\pX', 'invalid character class range: `\\pX`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
])("the pattern %s is rejected with Go's message", (pattern, message) => {
  expect(() => compilePattern(pattern)).toThrow(`error parsing regexp: ${message}`);
});

test.each([
  ['a'.repeat(100_000), '^(a|aa)+$'],
  [`${'a'.repeat(100_000)}!`, '(x+x+)+y'],
  ['a'.repeat(1000), `${'a?'.repeat(500)}${'a'.repeat(500)}`],
])('a pattern that takes other engines exponential time takes linear time here', (text, pattern) => {
  expect(cpuMilliseconds(() => matchesPattern(text, compilePattern(pattern)))).toBeLessThan(400);
});

test.each([
  () => compilePattern(`(?:${'a'.repeat(1000)}){1000}`),
  () => compilePattern(`(?i)${'[a-\\x{10ffff}]'.repeat(100)}`),
  () => matchesPattern('ab'.repeat(100_000), compilePattern('^(?:a?b?){900}$')),
  () => findPattern('ab'.repeat(100_000), compilePattern('[ab]{900}[cd]')),
  () => findAllPattern('a'.repeat(20_000), compilePattern('a.*?b|a')),
])('excessive work ends soon, as an exceeded cost limit', (call) => {
  const took = cpuMilliseconds(() =>
    expect(() => limitWork<undefined, undefined, unknown>(call, undefined, undefined)).toThrow(CostError),
  );
  expect(took).toBeLessThan(800);
});

test('long ordinary texts are searched', () => {
  const text = 'key=value '.repeat(10_000);
  const find = () => findAllPattern(text, compilePattern('[a-z]+='));
  expect(limitWork(find, undefined, undefined)).toHaveLength(10_000);
  const match = () => matchesPattern(text, compilePattern('^(?:key=value )*$'));
  expect(limitWork(match, undefined, undefined)).toBe(true);
});

function cpuMilliseconds(run: () => void): number {
  const before = process.cpuUsage().user;
  run();
  return (process.cpuUsage().user - before) / 1000;
}
