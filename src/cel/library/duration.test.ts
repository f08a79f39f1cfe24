import { expect, test } from 'vitest';
import {
  addDurations,
  durationHours,
  durationMilliseconds,
  durationMinutes,
  durationSeconds,
  durationToString,
  negateDuration,
  parseDuration,
  subtractDurations,
} from './duration.ts';

const HOUR = 3_600_000_000_000n;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

test.each<[string, bigint]>([
  ['0', 0n],
  ['-0', 0n],
  ['1h30m', (HOUR * 3n) / 2n],
  ['-1.5h', (HOUR * -3n) / 2n],
  ['+2ms', 2_000_000n],
  ['1us1µs1μs', 3000n],
  ['.5s', 500_000_000n],
  ['5.s', 5_000_000_000n],
  ['0.3333333333333333333h', 1_200_000_000_000n],
  ['0.9999999999999999999999s', 1_000_000_000n],
  ['9223372036854775807ns', MAX],
  ['-9223372036854775808ns', MIN],
])('parses %s', (text, nanos) => {
  expect(parseDuration(text)).toBe(nanos);
});

test.each([
  '',
  '-',
  '1',
  '1d',
  '1h 30m',
  's',
  '.s',
  '1.2.3s',
  '1H',
  '9223372036854775808ns',
  '2562048h',
  '1e3s',
])('%j is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(
    "type conversion error from 'string' to 'google.protobuf.Duration'",
  );
});

test('is printed in seconds', () => {
  expect(durationToString(HOUR)).toBe('3600s');
  expect(durationToString(-1_500_000_000n)).toBe('-1.5s');
  expect(durationToString(1n)).toBe('0.000000001s');
  expect(durationToString(MAX)).toBe('9223372036.854776s');
});

test('arithmetic stays within 64 bits', () => {
  expect(addDurations(HOUR, 1n)).toBe(HOUR + 1n);
  expect(subtractDurations(HOUR, 1n)).toBe(HOUR - 1n);
  expect(negateDuration(HOUR)).toBe(-HOUR);
  expect(() => addDurations(MAX, 1n)).toThrow('integer overflow');
  expect(() => subtractDurations(MIN, 1n)).toThrow('integer overflow');
  expect(() => negateDuration(MIN)).toThrow('integer overflow');
});

test('getters convert the whole duration, towards zero', () => {
  const nanos = parseDuration('-1h59m59.9999s');
  expect(durationHours(nanos)).toBe(-1n);
  expect(durationMinutes(nanos)).toBe(-119n);
  expect(durationSeconds(nanos)).toBe(-7199n);
  expect(durationMilliseconds(nanos)).toBe(-7_199_999n);
});
