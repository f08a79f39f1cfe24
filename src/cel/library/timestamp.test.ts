import { expect, test } from 'vitest';
import {
  addToTimestamp,
  compareTimestamps,
  parseTimestamp,
  subtractFromTimestamp,
  subtractTimestamps,
  timestampFromInt,
  timestampToString,
} from './timestamp.ts';
import { timestampField } from './timestamp-fields.ts';

test.each([
  '2026-03-01T12:00:00Z',
  '2026-03-01T12:00:00.5Z',
  '2026-03-01T12:00:00.000000001Z',
  '2026-03-01T12:00:00+02:30',
  '2026-03-01T12:00:00-11:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2024-02-29T00:00:00Z',
])('%s is printed as it was written', (text) => {
  expect(timestampToString(parseTimestamp(text))).toBe(text);
});

test.each([
  '',
  '2026-03-01',
  '2026-03-01T12:00:00',
  '2026-03-01t12:00:00Z',
  '2026-03-01T12:00:00z',
  '2026-03-01 12:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T12:60:00Z',
  '2026-03-01T12:00:60Z',
  '2026-03-01T12:00:00.Z',
  '2026-03-01T12:00:00+25:00',
  '2026-03-01T12:00:00+0200',
  '12026-03-01T12:00:00Z',
])('%j is not a timestamp', (text) => {
  expect(() => parseTimestamp(text)).toThrow(
    "type conversion error from 'string' to 'google.protobuf.Timestamp'",
  );
});

test('timestamps outside the years 0001 to 9999 overflow', () => {
  const last = parseTimestamp('9999-12-31T23:59:59.999999999Z');
  expect(() => addToTimestamp(last, 1n)).toThrow('timestamp overflow');
  expect(() => subtractFromTimestamp(timestampFromInt(-62_135_596_800n), 1n)).toThrow('timestamp overflow');
  expect(() => timestampFromInt(253_402_300_800n)).toThrow('timestamp overflow');
  expect(() => parseTimestamp('0001-01-01T00:00:00+01:00')).toThrow('timestamp overflow');
});

test('timestamps with different offsets are compared by instant', () => {
  const [utc, paris] = [parseTimestamp('2026-03-01T11:00:00Z'), parseTimestamp('2026-03-01T12:00:00+01:00')];
  expect(compareTimestamps(utc, paris)).toBe(0);
  expect(compareTimestamps(utc, addToTimestamp(paris, 1n))).toBeLessThan(0);
  expect(subtractTimestamps(addToTimestamp(paris, -1n), utc)).toBe(-1n);
});

test('adding a duration keeps the offset', () => {
  const sum = addToTimestamp(parseTimestamp('2026-03-01T23:59:59.5+01:00'), 600_000_000n);
  expect(timestampToString(sum)).toBe('2026-03-02T00:00:00.1+01:00');
});

test('a difference beyond 64 bits overflows', () => {
  const [first, last] = [parseTimestamp('0001-01-01T00:00:00Z'), parseTimestamp('9999-01-01T00:00:00Z')];
  expect(() => subtractTimestamps(last, first)).toThrow('integer overflow');
  expect(() => subtractFromTimestamp(last, -(2n ** 63n))).toThrow('integer overflow');
});

const at = parseTimestamp('2026-03-01T22:34:56.789Z');

test.each([
  ['getFullYear', 2026n],
  ['getMonth', 2n],
  ['getDate', 1n],
  ['getDayOfMonth', 0n],
  ['getDayOfYear', 59n],
  ['getDayOfWeek', 0n],
  ['getHours', 22n],
  ['getMinutes', 34n],
  ['getSeconds', 56n],
  ['getMilliseconds', 789n],
] as const)('%s is %s in UTC', (field, expected) => {
  expect(timestampField(field, at)).toBe(expected);
  expect(timestampField(field, at, 'UTC')).toBe(expected);
});

test.each([
  ['getHours', 'Europe/Paris', 23n],
  ['getDate', 'Asia/Tokyo', 2n],
  ['getDayOfWeek', 'Asia/Tokyo', 1n],
  ['getHours', 'Asia/Kolkata', 4n],
  ['getMinutes', 'Asia/Calcutta', 4n],
  ['getHours', '-03:00', 19n],
  ['getMinutes', '-03:30', 4n],
  ['getMinutes', '05:15', 49n],
  ['getHours', 'Etc/GMT+5', 17n],
] as const)('%s in %s is %s', (field, zone, expected) => {
  expect(timestampField(field, at, zone)).toBe(expected);
});

test('a zone is applied to the first and the last year', () => {
  expect(timestampField('getFullYear', timestampFromInt(-62_135_596_800n), 'America/New_York')).toBe(0n);
  expect(timestampField('getFullYear', parseTimestamp('9999-12-31T23:00:00Z'), 'Asia/Tokyo')).toBe(10_000n);
});

test.each([
  ['Mars/Base', 'unknown time zone Mars/Base'],
  ['europe/paris', 'unknown time zone europe/paris'],
  ['us/Pacific', 'unknown time zone us/Pacific'],
  ['+0530', 'unknown time zone +0530'],
  ['../etc/passwd', 'time: invalid location name'],
  ['/UTC', 'time: invalid location name'],
  ['x:30', 'strconv.Atoi: parsing "x": invalid syntax'],
  ['+05:', 'strconv.Atoi: parsing "": invalid syntax'],
  ['99999999999999999999:00', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
])('%s is not a zone', (zone, message) => {
  expect(() => timestampField('getHours', at, zone)).toThrow(message);
});
