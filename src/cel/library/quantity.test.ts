import { expect, test } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  isIntegerQuantity,
  isQuantity,
  quantityFromInt,
  quantitySign,
  quantityToDouble,
  quantityToInt,
  quantityToString,
  subtractQuantities,
  toQuantity,
} from './quantity.ts';

test.each([
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['0.5', '500m'],
  ['.5Ki', '512'],
  ['0.5m', '500u'],
  ['0.1n', '1n'],
  ['-0.1n', '-1n'],
  ['1e-300', '1e-9'],
  ['100Ki', '100Ki'],
  ['1000Ki', '1000Ki'],
  ['1000', '1k'],
  ['1E3', '1E3'],
  ['1000e0', '1e3'],
  ['+5', '+5'],
  ['Mi', '0'],
  ['.', '0'],
  ['-', '0'],
  ['8.5Ei', '9223372036854775807'],
  ['1000E', '1'],
  ['9999999999999999999999E', '9999999999999999999999E'],
])('%s is printed %s', (text, canonical) => {
  expect(quantityToString(toQuantity(text))).toBe(canonical);
});

test.each([
  ['', 'quantities must match the regular expression'],
  ['1..5', 'quantities must match the regular expression'],
  ['1 Gi', 'quantities must match the regular expression'],
  ['abc', 'quantities must match the regular expression'],
  ['1K', "unable to parse quantity's suffix"],
  ['1mi', "unable to parse quantity's suffix"],
  ['1e', "unable to parse quantity's suffix"],
  ['1ki', "unable to parse quantity's suffix"],
  ['Ei', 'unable to parse numeric part of quantity'],
])('%j is not a quantity', (text, message) => {
  expect(isQuantity(text)).toBe(false);
  expect(() => toQuantity(text)).toThrow(message);
});

test.each<[string, string, number]>([
  ['1', '1000m', 0],
  ['50M', '50Mi', -1],
  ['1e3', '1k', 0],
  ['-1', '0', -1],
  ['9999999999999999999999E', '1n', 1],
  ['1e999999999', '-1e999999999', 1],
])('%s compared to %s is %i', (left, right, expected) => {
  expect(compareQuantities(toQuantity(left), toQuantity(right))).toBe(expected);
});

test.each([
  ['50k', '20k', '70k', '30k'],
  ['1', '1m', '1001m', '999m'],
  ['1Gi', '1Mi', '1025Mi', '1023Mi'],
  ['0', '1Ki', '1Ki', '-1Ki'],
  ['1Ki', '0', '1Ki', '1Ki'],
  ['1.5Gi', '1', '1610612737', '1610612735'],
])('%s plus and minus %s', (left, right, sum, difference) => {
  expect(quantityToString(addQuantities(toQuantity(left), toQuantity(right)))).toBe(sum);
  expect(quantityToString(subtractQuantities(toQuantity(left), toQuantity(right)))).toBe(difference);
});

test('an int can be added', () => {
  expect(quantityToString(addQuantities(toQuantity('50k'), quantityFromInt(20n)))).toBe('50020');
  expect(quantityToString(addQuantities(toQuantity('0'), quantityFromInt(1000n)))).toBe('1e3');
});

test.each<[string, bigint | undefined]>([
  ['50k', 50_000n],
  ['1Gi', 2n ** 30n],
  ['1500m', undefined],
  ['1000m', undefined],
  ['9E', 9n * 10n ** 18n],
  ['10E', undefined],
  ['1234567890123456789', undefined],
])('%s as an integer is %s', (text, expected) => {
  const quantity = toQuantity(text);
  expect(isIntegerQuantity(quantity)).toBe(expected !== undefined);
  if (expected === undefined)
    expect(() => quantityToInt(quantity)).toThrow('cannot convert value to integer');
  else expect(quantityToInt(quantity)).toBe(expected);
});

test('sign and approximate value', () => {
  expect(['-1', '0', '1m'].map((text) => quantitySign(toQuantity(text)))).toEqual([-1, 0, 1]);
  expect(quantityToDouble(toQuantity('1500m'))).toBe(1.5);
  expect(quantityToDouble(toQuantity('2Ki'))).toBe(2048);
  expect(quantityToDouble(toQuantity('1e400'))).toBe(Number.POSITIVE_INFINITY);
});

test('digits that would fill the memory are not computed', () => {
  const huge = toQuantity('1e999999999');
  expect(quantityToString(huge)).toBe('1e999999999');
  expect(() => addQuantities(huge, toQuantity('1'))).toThrow(
    'operation cancelled: actual cost limit exceeded',
  );
  expect(() => compareQuantities(huge, toQuantity('1'))).toThrow(
    'operation cancelled: actual cost limit exceeded',
  );
});
