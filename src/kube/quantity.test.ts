import { expect, test } from 'vitest';
import {
  canonicalQuantity,
  canonicalResource,
  compareQuantities,
  exceeds,
  isLess,
  isQuantity,
  isSameResource,
  thousandthsOf,
} from './quantity.ts';

test.each(['1', '0.5', '.5', '1.', '100m', '1Gi', '1e3', '1E-3', '+1k', '-2', '5n', '7u', '1.5Gi'])(
  '%s is a quantity',
  (text) => {
    expect(isQuantity(text)).toBe(true);
  },
);

test.each(['', 'm', '1 Gi', '1gi', '1KB', '0x10', '1e', 'one', '1Mi2', '--1', '.'])(
  '%j is not a quantity',
  (text) => {
    expect(isQuantity(text)).toBe(false);
  },
);

test.each([
  ['1000m', '1', 0],
  ['1024Mi', '1Gi', 0],
  ['0.5Gi', '512Mi', 0],
  ['1.5', '1500m', 0],
  ['1e3', '1k', 0],
  ['1Gi', '1G', 1],
  ['100m', '0.2', -1],
  ['-1', '0', -1],
])('%s compared with %s is %i', (left, right, expected) => {
  expect(compareQuantities(left, right)).toBe(expected);
});

test.each([
  ['100m', '0.2', true],
  [1, '1500m', true],
  ['1Gi', '1024Mi', false],
  ['2', '1', false],
  [undefined, '1', false],
  ['1', undefined, false],
  ['lots', '1', false],
  ['1', 'lots', false],
])('%s is less than %s: %s', (left, right, expected) => {
  expect(isLess(left, right)).toBe(expected);
});

test.each([
  ['1000m', '1'],
  ['1024Mi', '1Gi'],
  ['0.5Gi', '512Mi'],
  ['1.5', '1500m'],
  ['1000', '1k'],
  ['128Mi', '128Mi'],
  ['0', '0'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['12e2', '1200'],
  ['5e-3', '5e-3'],
  ['1E', '1E'],
  ['1e21', '1e21'],
  ['1e100', '10e99'],
  ['1e999', '1e999'],
  ['1.5n', '2n'],
  ['-1.5n', '-2n'],
  ['1e-12', '1e-9'],
  ['1e-999', '1e-9'],
  ['1.1Ki', '1126400m'],
  ['7Ei', '7Ei'],
  ['8Ei', '9223372036854775807'],
])('the API server writes %s as %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each([
  ['5n', '1m'],
  ['-5n', '-1m'],
  ['0.0001Ki', '103m'],
  ['1e-12', '1e-3'],
  ['0.11111111111111111111', '112m'],
  ['100m', '100m'],
])('the API server stores the resource %s as %s', (text, stored) => {
  expect(canonicalResource(text)).toBe(stored);
  expect(isSameResource(text, stored)).toBe(true);
});

test('amounts that are stored differently are not the same resource', () => {
  expect(isSameResource('1m', '1001u')).toBe(false);
});

test('names an invalid quantity', () => {
  expect(() => compareQuantities('lots', '1')).toThrow(
    'Cannot read quantity "lots": not a number with a unit',
  );
});

test.each<[string[], string, boolean]>([
  [['500m', '0.5'], '1', false],
  [['500m', '0.5', '1n'], '1', true],
  [['512Mi', '512Mi'], '1Gi', false],
  [['1Gi', '1'], '1Gi', true],
  [['', 'lots', '2'], '1', true],
  [['1'], 'lots', false],
  [[], '0', false],
  [['9'.repeat(40), '1'], '9'.repeat(40), true],
])('%j exceed %s: %s', (amounts, available, expected) => {
  expect(exceeds(amounts, available)).toBe(expected);
});

test.each<[string | number, bigint | undefined]>([
  ['100m', 100n],
  [2, 2000n],
  ['1.5Gi', 1_610_612_736_000n],
  ['1e3', 1_000_000n],
  ['1u', 1n],
  ['-1u', -1n],
  ['lots', undefined],
])('%s has %s thousandths', (amount, expected) => {
  expect(thousandthsOf(amount)).toBe(expected);
});

test.each<[string[], boolean]>([
  [['2', '1', '1'], false],
  [['3', '1', '0'], true],
  [['0', '1', '2'], true],
  [['0', '2', '1'], true],
  [['0', 'lots', '2'], false],
])('%j, of which only the second lasts, exceed 2: %s', (amounts, expected) => {
  expect(exceeds(amounts, '2', (index) => index === 1)).toBe(expected);
});
