import { expect, test } from 'vitest';
import {
  bytesToString,
  doubleToInt,
  doubleToString,
  doubleToUint,
  stringToBool,
  stringToBytes,
  stringToDouble,
  stringToInt,
  stringToUint,
} from './conversions.ts';

test.each<[string, bigint]>([
  ['7', 7n],
  ['+7', 7n],
  ['-7', -7n],
  ['007', 7n],
  ['-9223372036854775808', -(2n ** 63n)],
  [`${'0'.repeat(50)}1`, 1n],
])('%j is an int', (text, value) => {
  expect(stringToInt(text)).toBe(value);
});

test.each(['', ' 4', '4 ', '1_000', '0x10', '4.2', '9223372036854775808', '9'.repeat(100_000), '-', '٣'])(
  '%j is not an int',
  (text) => {
    expect(() => stringToInt(text)).toThrow("type conversion error from 'string' to 'int'");
  },
);

test('a uint has no sign', () => {
  expect(stringToUint('18446744073709551615')).toBe(2n ** 64n - 1n);
  for (const text of ['-1', '+1', '18446744073709551616', '7u', ''])
    expect(() => stringToUint(text)).toThrow("type conversion error from 'string' to 'uint'");
});

test.each<[string, number]>([
  ['1', 1],
  ['.5', 0.5],
  ['5.', 5],
  ['-1e-3', -0.001],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['nan', Number.NaN],
  ['0x1p4', 16],
  ['1_000.2_5e1_0', 10_002_500_000_000],
  ['0x_1_0p0', 16],
])('%j is a double', (text, value) => {
  expect(stringToDouble(text)).toBe(value);
});

test.each(['', ' 1', '1e400', '_1', '1_', '1__0', '1_.5', '1_e5', '1e_5', '--1', '.', '0x10', 'Infinit'])(
  '%j is not a double',
  (text) => {
    expect(() => stringToDouble(text)).toThrow("type conversion error from 'string' to 'double'");
  },
);

test('a bool is spelled as Go accepts it', () => {
  for (const text of ['1', 't', 'T', 'true', 'TRUE', 'True']) expect(stringToBool(text)).toBe(true);
  for (const text of ['0', 'f', 'F', 'false', 'FALSE', 'False']) expect(stringToBool(text)).toBe(false);
  for (const text of ['', 'yes', 'tRue'])
    expect(() => stringToBool(text)).toThrow("type conversion error from 'string' to 'bool'");
});

test('bytes are UTF-8', () => {
  expect([...stringToBytes('é😀')]).toEqual([0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]);
  expect(bytesToString(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  expect(() => bytesToString(Uint8Array.of(0xff))).toThrow(
    'invalid UTF-8 in bytes, cannot convert to string',
  );
  expect(() => bytesToString(Uint8Array.of(0xed, 0xa0, 0x80))).toThrow('invalid UTF-8');
});

test.each<[number, string]>([
  [2, '2'],
  [0.1, '0.1'],
  [123456, '123456'],
  [1e6, '1e+06'],
  [1.5e-5, '1.5e-05'],
  [-0, '-0'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
  [5e-324, '5e-324'],
])('the double %d is printed %s', (value, text) => {
  expect(doubleToString(value)).toBe(text);
});

test('a double is truncated to an int', () => {
  expect(doubleToInt(-1.9)).toBe(-1n);
  expect(doubleToUint(1.9)).toBe(1n);
  for (const value of [2 ** 63, -(2 ** 63), Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => doubleToInt(value)).toThrow('integer overflow');
  for (const value of [2 ** 64, -0.5, Number.NaN])
    expect(() => doubleToUint(value)).toThrow('unsigned integer overflow');
});
