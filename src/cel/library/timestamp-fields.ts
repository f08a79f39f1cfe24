import { type CivilTime, daysBefore, SECONDS_PER_DAY, secondsToCivil } from '../../golang/calendar.ts';
import { zoneOffset } from './time-zone.ts';
import type { Timestamp } from './timestamp.ts';

export type TimestampField =
  | 'getFullYear'
  | 'getMonth'
  | 'getDayOfYear'
  | 'getDate'
  | 'getDayOfMonth'
  | 'getDayOfWeek'
  | 'getHours'
  | 'getMinutes'
  | 'getSeconds'
  | 'getMilliseconds';

/** A field in a zone, UTC by default. Months, days of the year, week and month count from 0, dates from 1. */
export function timestampField(field: TimestampField, { seconds, nanos }: Timestamp, zone = ''): bigint {
  const local = seconds + zoneOffset(zone, seconds);
  if (field === 'getMilliseconds') return BigInt(Math.floor(nanos / 1_000_000));
  if (field === 'getDayOfWeek') return BigInt((((Math.floor(local / SECONDS_PER_DAY) + 4) % 7) + 7) % 7);
  return BigInt(CIVIL_FIELDS[field](secondsToCivil(local)));
}

const CIVIL_FIELDS: Readonly<
  Record<Exclude<TimestampField, 'getMilliseconds' | 'getDayOfWeek'>, (civil: CivilTime) => number>
> = {
  getFullYear: ({ year }) => year,
  getMonth: ({ month }) => month - 1,
  getDayOfYear: ({ year, month, day }) => daysBefore(year, month) - daysBefore(year, 1) + day - 1,
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getHours: ({ hour }) => hour,
  getMinutes: ({ minute }) => minute,
  getSeconds: ({ second }) => second,
};
