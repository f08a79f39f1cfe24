import { civilToSeconds, daysBefore, daysInMonth } from './calendar.ts';
import { quote } from './strconv.ts';
import { MONTHS, type Time, UTC, WEEKDAYS, type Zone } from './time.ts';
import { isFraction, splitLayout } from './time-layout.ts';

/** Go's time.Parse, where the local zone is UTC; a message if the text does not match the layout. */
export function parseTime(layout: string, text: string): Time | { readonly problem: string } {
  const fields: Fields = { year: 0, hour: 0, minute: 0, second: 0, nanos: 0 };
  const outOfRange = (what: string) => ({ problem: `parsing time ${quote(text)}: ${what}` });
  const mismatch = (rest: string, element: string) => ({
    problem: `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`,
  });
  let rest = text;
  const parts = splitLayout(layout);
  for (const [index, { literal, element }] of parts.entries()) {
    const { after, isMatch } = skip(rest, literal);
    rest = after;
    if (!isMatch) return mismatch(rest, literal);
    if (element === '') break;
    const read = readerOf(
      element,
      isFraction(parts[index + 1]?.element ?? '') && parts[index + 1]?.literal === '',
    );
    const match = read.pattern.exec(rest);
    if (match === null) return mismatch(rest, element);
    rest = rest.slice(match[0].length);
    Object.assign(fields, read.fields(match));
    const problem = read.problem?.(match);
    if (problem !== undefined) return outOfRange(`${problem} out of range`);
  }
  if (rest !== '') return outOfRange(`extra text: ${quote(rest)}`);
  const problem = setDay(fields);
  return problem === undefined ? timeOf(fields) : outOfRange(problem);
}

interface Fields {
  year: number;
  month?: number;
  day?: number;
  yearDay?: number;
  hour: number;
  half?: 'AM' | 'PM';
  minute: number;
  second: number;
  nanos: number;
  zone?: Zone;
  isUtc?: boolean;
  offset?: number;
}

/** Each space of a layout stands for any number of them. */
function skip(value: string, literal: string): { readonly after: string; readonly isMatch: boolean } {
  let at = 0;
  for (let index = 0; index < literal.length; index++) {
    if (literal[index] === ' ') {
      if (at < value.length && value[at] !== ' ') return { after: value.slice(at), isMatch: false };
      while (literal[index + 1] === ' ') index++;
      while (value[at] === ' ') at++;
    } else if (value[at] !== literal[index]) return { after: value.slice(at), isMatch: false };
    else at++;
  }
  return { after: value.slice(at), isMatch: true };
}

interface Reader {
  readonly pattern: RegExp;
  readonly fields: (match: RegExpExecArray) => Partial<Fields>;
  /** The name of a part that is out of range. */
  readonly problem?: (match: RegExpExecArray) => string | undefined;
}

function readerOf(element: string, isBeforeFraction: boolean): Reader {
  if (isFraction(element)) return element.endsWith('0') ? exactFraction(element.length - 1) : ANY_FRACTION;
  if (/^[-Z]/.test(element)) return offsetReader(element);
  // The text may have a fraction of a second even if the layout has none.
  const isSecond = element === '5' || element === '05';
  const readers = isSecond && !isBeforeFraction ? SECONDS_WITH_FRACTION : READERS;
  return readers[element] as Reader;
}

const names = (list: readonly string[]) => new RegExp(`^(?:${list.join('|')})`, 'i');
const SHORT_MONTHS = MONTHS.map((name) => name.slice(0, 3));
const SHORT_WEEKDAYS = WEEKDAYS.map((name) => name.slice(0, 3));

function indexIn(list: readonly string[], name: string): number {
  return list.findIndex((each) => each.toLowerCase() === name.toLowerCase());
}

type NumberField = 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

function number(
  pattern: RegExp,
  field: NumberField,
  isValid: (value: number) => boolean = () => true,
): Reader {
  return {
    pattern,
    fields: ([text]) => ({ [field]: Number(text) }),
    problem: ([text]) => (isValid(Number(text)) ? undefined : field),
  };
}

const ONE_OR_TWO = /^\d\d?/;
const TWO = /^\d\d/;
const isMonth = (value: number) => value >= 1 && value <= 12;
const isBelow = (limit: number) => (value: number) => value < limit;
const half = (text: string) => text.toUpperCase() as 'AM' | 'PM';

const READERS: Readonly<Record<string, Reader>> = {
  '2006': { pattern: /^\d{4}/, fields: ([text]) => ({ year: Number(text) }) },
  '06': {
    pattern: TWO,
    fields: ([text]) => ({ year: Number(text) + (Number(text) >= 69 ? 1900 : 2000) }),
  },
  January: { pattern: names(MONTHS), fields: ([text]) => ({ month: indexIn(MONTHS, text) + 1 }) },
  Jan: { pattern: names(SHORT_MONTHS), fields: ([text]) => ({ month: indexIn(SHORT_MONTHS, text) + 1 }) },
  '1': number(ONE_OR_TWO, 'month', isMonth),
  '01': number(TWO, 'month', isMonth),
  // Weekdays are only checked for their spelling.
  Monday: { pattern: names(WEEKDAYS), fields: () => ({}) },
  Mon: { pattern: names(SHORT_WEEKDAYS), fields: () => ({}) },
  '2': number(ONE_OR_TWO, 'day'),
  _2: number(/^ ?\d\d?/, 'day'),
  '02': number(TWO, 'day'),
  __2: number(/^ {0,2}\d{1,3}/, 'yearDay'),
  '002': number(/^\d{3}/, 'yearDay'),
  '15': number(ONE_OR_TWO, 'hour', isBelow(24)),
  '3': number(ONE_OR_TWO, 'hour', isBelow(13)),
  '03': number(TWO, 'hour', isBelow(13)),
  '4': number(ONE_OR_TWO, 'minute', isBelow(60)),
  '04': number(TWO, 'minute', isBelow(60)),
  '5': number(ONE_OR_TWO, 'second', isBelow(60)),
  '05': number(TWO, 'second', isBelow(60)),
  PM: { pattern: /^[AP]M/, fields: ([text]) => ({ half: half(text) }) },
  pm: { pattern: /^[ap]m/, fields: ([text]) => ({ half: half(text) }) },
  MST: {
    pattern:
      /^(?:UTC|ChST|MeST|GMT(?:[-+](?:2[0-3]|[01]?\d)(?!\d))?|[-+](?:2[0-3]|[01]?\d)(?!\d)|(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z]))/,
    fields: ([name]) => ({
      isUtc: name === 'UTC',
      // The offset of an abbreviation is unknown, except for `GMT+3`.
      zone: { name, offset: /^GMT./.test(name) ? Number(name.slice(3)) * 3600 : 0 },
    }),
  },
};

const SECONDS_WITH_FRACTION: typeof READERS = {
  '5': withFraction(/^(\d\d?)(?:[.,](\d+))?/),
  '05': withFraction(/^(\d\d)(?:[.,](\d+))?/),
};

function withFraction(pattern: RegExp): Reader {
  return {
    pattern,
    fields: ([, seconds, digits = '']) => ({ second: Number(seconds), nanos: nanosOf(digits) }),
    problem: ([, seconds]) => (Number(seconds) < 60 ? undefined : 'second'),
  };
}

const ANY_FRACTION: Reader = fractionReader(/^(?:[.,](\d+))?/);

function exactFraction(length: number): Reader {
  return fractionReader(new RegExp(`^[.,](\\d{${length}})`));
}

function fractionReader(pattern: RegExp): Reader {
  return { pattern, fields: ([, digits = '']) => ({ nanos: nanosOf(digits) }) };
}

function nanosOf(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'));
}

/** `element` is such as `-0700` or `Z07:00`. */
function offsetReader(element: string): Reader {
  const separator = element.includes(':') ? ':' : '';
  const pairs = element.replace(/\D/g, '').length / 2;
  const digits = Array.from({ length: pairs }, () => '(\\d\\d)').join(separator);
  return {
    pattern: new RegExp(element.startsWith('Z') ? `^(?:Z|([-+])${digits})` : `^([-+])${digits}`),
    fields([text, sign, hours = '0', minutes = '0', seconds = '0']) {
      if (text === 'Z') return { isUtc: true };
      const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      return { offset: sign === '-' ? -size : size };
    },
    problem([, , hours = '0', minutes = '0', seconds = '0']) {
      if (Number(seconds) > 60) return 'time zone offset second';
      if (Number(minutes) > 60) return 'time zone offset minute';
      return Number(hours) > 24 ? 'time zone offset hour' : undefined;
    },
  };
}

/** Derives month and day from the day of the year, and checks them. */
function setDay(fields: Fields): string | undefined {
  const { year, yearDay } = fields;
  if (yearDay !== undefined) {
    if (yearDay < 1 || yearDay > daysBefore(year + 1, 1) - daysBefore(year, 1))
      return 'day-of-year out of range';
    let month = 1;
    while (month < 12 && daysBefore(year, month + 1) - daysBefore(year, 1) < yearDay) month++;
    if (fields.month !== undefined && fields.month !== month) return 'day-of-year does not match month';
    const day = yearDay - (daysBefore(year, month) - daysBefore(year, 1));
    if (fields.day !== undefined && fields.day !== day) return 'day-of-year does not match day';
    Object.assign(fields, { month, day });
  }
  const { month = 1, day = 1 } = fields;
  return day < 1 || day > daysInMonth(year, month) ? 'day out of range' : undefined;
}

function timeOf(fields: Fields): Time {
  const { year, month = 1, day = 1, minute, second, nanos, half, zone, isUtc, offset } = fields;
  const isNoon = half === 'PM' && fields.hour < 12;
  const hour = isNoon ? fields.hour + 12 : half === 'AM' && fields.hour === 12 ? 0 : fields.hour;
  const seconds = civilToSeconds({ year, month, day, hour, minute, second });
  if (isUtc) return { seconds, nanos, zone: UTC };
  if (offset !== undefined) {
    const isLocal = offset === 0 && zone === undefined;
    return {
      seconds: seconds - offset,
      nanos,
      zone: isLocal ? UTC : { name: zone?.name ?? '', offset },
    };
  }
  return { seconds, nanos, zone: zone ?? UTC };
}
