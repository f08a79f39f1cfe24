/** A date and time of the proleptic Gregorian calendar, without a zone. The month counts from 1. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export const SECONDS_PER_DAY = 86_400;

/** Seconds since 1970 of a civil time, as if it were UTC. */
export function civilToSeconds({ year, month, day, hour, minute, second }: CivilTime): number {
  return (daysBefore(year, month) + day - 1) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
}

export function secondsToCivil(seconds: number): CivilTime {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const rest = seconds - days * SECONDS_PER_DAY;
  // Years that begin in March have the leap day at their end; 719,468 days lie between 0000-03-01 and 1970-01-01.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
  };
}

export function daysInMonth(year: number, month: number): number {
  return daysBefore(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1) - daysBefore(year, month);
}

/** The days between 1970-01-01 and the first day of a month. */
export function daysBefore(year: number, month: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - 719_468;
}

/** 400 years. */
const DAYS_PER_ERA = 146_097;
