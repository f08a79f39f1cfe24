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
  expect(charAt('x😀y', 1)).toBe('😀');
  expect(charAt('x😀y', 2)).toBe('y');
  expect(charAt('x😀y', 3)).toBe('');
  expect(charAt('x😀y', 1n)).toBe('😀');
});

test.each([() => charAt('abc', 4), () => substring('abc', 4), () => substring('abc', 1, 4)])(
  'an index beyond the end is an error',
  (call) => {
    expect(call).toThrow(new CelError('index out of range: 4'));
  },
);

test.each([
  () => charAt('abc', -1),
  () => indexOf('abc', 'a', -1),
  () => lastIndexOf('abc', 'a', -1),
  () => substring('abc', -1),
])('a negative index is an error', (call) => {
  expect(call).toThrow(new CelError('index out of range: -1'));
});

test.each<[string, string, number | undefined, number]>([
  ['banana', 'an', undefined, 1],
  ['banana', 'an', 2, 3],
  ['banana', 'an', 9, -1],
  ['banana', 'x', undefined, -1],
  ['😀banana', 'an', 3, 4],
  ['banana', '', 9, 9],
  ['banana', '', -3, -3],
])('%j.indexOf(%j, %s) is %s', (text, part, offset, expected) => {
  expect(indexOf(text, part, offset)).toBe(expected);
});

test.each<[string, string, number | undefined, number]>([
  ['banana', 'an', undefined, 3],
  ['banana', 'an', 2, 1],
  ['banana', 'an', 5, 3],
  ['banana', 'an', 6, -1],
  ['', 'a', undefined, -1],
  ['a', 'aa', undefined, -1],
  ['😀banana', 'an', 3, 2],
  ['banana', '', undefined, 6],
  ['banana', '', 99, 99],
])('%j.lastIndexOf(%j, %s) is %s', (text, part, offset, expected) => {
  expect(lastIndexOf(text, part, offset)).toBe(expected);
});

test('substring takes a range of code points', () => {
  expect(substring('a😀bc', 2)).toBe('bc');
  expect(substring('a😀bc', 1, 3)).toBe('😀b');
  expect(() => substring('abc', 2, 1)).toThrow('invalid substring range. start: 2, end: 1');
});

test.each<[string, string, string, number | undefined, string]>([
  ['a-b-c', '-', '+', undefined, 'a+b+c'],
  ['a-b-c', '-', '+', 1, 'a+b-c'],
  ['a-b-c', '-', '+', 0, 'a-b-c'],
  ['a-b-c', '-', '+', -5, 'a+b+c'],
  ['a😀', '', '.', undefined, '.a.😀.'],
  ['', '', '.', undefined, '.'],
  ['a', 'x', '$&', undefined, 'a'],
  ['a', 'a', '$&', undefined, '$&'],
])('%j.replace(%j, %j, %s) is %j', (text, part, by, limit, expected) => {
  expect(replaceText(text, part, by, limit)).toBe(expected);
});

test.each<[string, string, number | undefined, string[]]>([
  ['a b c', ' ', undefined, ['a', 'b', 'c']],
  ['a b c', ' ', 2, ['a', 'b c']],
  ['a b c', ' ', 1, ['a b c']],
  ['a b c', ' ', 0, []],
  ['a b c', ' ', -1, ['a', 'b', 'c']],
  ['a😀c', '', undefined, ['a', '😀', 'c']],
  ['a😀c', '', 2, ['a', '😀c']],
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
