import { expect, test } from 'vitest';
import { CelError } from '../cel-error.ts';
import {
  charAt,
  compareText,
  indexOf,
  joinTexts,
  lastIndexOf,
  lowerAscii,
  quoteText,
  replaceText,
  splitText,
  substring,
  trimText,
  upperAscii,
} from './strings.ts';

test('strings are ordered by code point, not by UTF-16 unit', () => {
  expect(compareText('\ufffd', '😀')).toBeLessThan(0);
  expect(compareText('b', 'a')).toBeGreaterThan(0);
  expect(compareText('a', 'a')).toBe(0);
});

test('charAt counts code points, and is empty at the end', () => {
  expect(charAt('x😀y', 1n)).toBe('😀');
  expect(charAt('x😀y', 2n)).toBe('y');
  expect(charAt('x😀y', 3n)).toBe('');
});

test.each([() => charAt('abc', 4n), () => substring('abc', 4n), () => substring('abc', 1n, 4n)])(
  'an index beyond the end is an error',
  (call) => {
    expect(call).toThrow(new CelError('index out of range: 4'));
  },
);

test.each([
  () => charAt('abc', -1n),
  () => indexOf('abc', 'a', -1n),
  () => lastIndexOf('abc', 'a', -1n),
  () => substring('abc', -1n),
])('a negative index is an error', (call) => {
  expect(call).toThrow(new CelError('index out of range: -1'));
});

test.each<[string, string, bigint | undefined, bigint]>([
  ['banana', 'an', undefined, 1n],
  ['banana', 'an', 2n, 3n],
  ['banana', 'an', 9n, -1n],
  ['banana', 'x', undefined, -1n],
  ['😀banana', 'an', 3n, 4n],
  ['banana', '', 9n, 9n],
  ['banana', '', -3n, -3n],
])('%j.indexOf(%j, %s) is %s', (text, part, offset, expected) => {
  expect(indexOf(text, part, offset)).toBe(expected);
});

test.each<[string, string, bigint | undefined, bigint]>([
  ['banana', 'an', undefined, 3n],
  ['banana', 'an', 2n, 1n],
  ['banana', 'an', 5n, 3n],
  ['banana', 'an', 6n, -1n],
  ['', 'a', undefined, -1n],
  ['a', 'aa', undefined, -1n],
  ['😀banana', 'an', 3n, 2n],
  ['banana', '', undefined, 6n],
  ['banana', '', 99n, 99n],
])('%j.lastIndexOf(%j, %s) is %s', (text, part, offset, expected) => {
  expect(lastIndexOf(text, part, offset)).toBe(expected);
});

test('substring takes a range of code points', () => {
  expect(substring('a😀bc', 2n)).toBe('bc');
  expect(substring('a😀bc', 1n, 3n)).toBe('😀b');
  expect(() => substring('abc', 2n, 1n)).toThrow('invalid substring range. start: 2, end: 1');
});

test.each<[string, string, string, bigint | undefined, string]>([
  ['a-b-c', '-', '+', undefined, 'a+b+c'],
  ['a-b-c', '-', '+', 1n, 'a+b-c'],
  ['a-b-c', '-', '+', 0n, 'a-b-c'],
  ['a-b-c', '-', '+', -5n, 'a+b+c'],
  ['a😀', '', '.', undefined, '.a.😀.'],
  ['', '', '.', undefined, '.'],
  ['a', 'x', '$&', undefined, 'a'],
  ['a', 'a', '$&', undefined, '$&'],
])('%j.replace(%j, %j, %s) is %j', (text, part, by, limit, expected) => {
  expect(replaceText(text, part, by, limit)).toBe(expected);
});

test.each<[string, string, bigint | undefined, string[]]>([
  ['a b c', ' ', undefined, ['a', 'b', 'c']],
  ['a b c', ' ', 2n, ['a', 'b c']],
  ['a b c', ' ', 1n, ['a b c']],
  ['a b c', ' ', 0n, []],
  ['a b c', ' ', -1n, ['a', 'b', 'c']],
  ['a😀c', '', undefined, ['a', '😀', 'c']],
  ['a😀c', '', 2n, ['a', '😀c']],
  ['', '', undefined, []],
  ['', ' ', undefined, ['']],
])('%j.split(%j, %s) is %j', (text, separator, limit, expected) => {
  expect(splitText(text, separator, limit)).toEqual(expected);
});

test('trim removes what Go counts as white space', () => {
  expect(trimText('\t\v\f\r\n\u0085\u00a0\u1680\u2003\u2028\u202f\u205f\u3000 x y \u3000')).toBe('x y');
  expect(trimText('\ufeffx\u200b')).toBe('\ufeffx\u200b');
  expect(trimText('   ')).toBe('');
});

test('join takes a separator, empty by default', () => {
  expect(joinTexts(['a', 'b'])).toBe('ab');
  expect(joinTexts(['a', 'b', 'c'], ', ')).toBe('a, b, c');
  expect(joinTexts([], ', ')).toBe('');
});

test('only ASCII letters change their case', () => {
  expect(lowerAscii('ÄBC Ω')).toBe('Äbc Ω');
  expect(upperAscii('äbc ß')).toBe('äBC ß');
});

test('quote escapes what has a short escape', () => {
  expect(quoteText('"\\\x07\b\f\n\r\t\v')).toBe(String.raw`"\"\\\a\b\f\n\r\t\v"`);
  expect(quoteText("é'\x01😀")).toBe('"é\'\x01😀"');
});

test.each([
  () => replaceText('a'.repeat(100_000), '', 'b'.repeat(100_000)),
  () => joinTexts(Array(20_000).fill(''), 'x'.repeat(1000)),
])('a result that no expression could use is not built', (call) => {
  expect(call).toThrow('operation cancelled: actual cost limit exceeded');
});
