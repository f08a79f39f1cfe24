import { type CivilTime, secondsToCivil } from './calendar.ts';

/** An instant, and the zone in which it is printed. */
export interface Time {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  readonly zone: Zone;
}

export interface Zone {
  /** An abbreviation such as `CET`, or empty if only the offset is known. */
  readonly name: string;
  /** Seconds east of UTC. */
  readonly offset: number;
}

export const UTC: Zone = { name: 'UTC', offset: 0 };

/** Go's zero value, the first instant of year 1. */
export const ZERO_TIME: Time = { seconds: -62_135_596_800, nanos: 0, zone: UTC };

/** Date and time in the zone of the instant. */
export function civilTime({ seconds, zone }: Time): CivilTime {
  return secondsToCivil(seconds + zone.offset);
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;
