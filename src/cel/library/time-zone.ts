import { cacheByTexts } from '../../cache.ts';
import { civilToSeconds } from '../../golang/calendar.ts';
import { quote } from '../../golang/strconv.ts';
import { CelError } from '../cel-error.ts';
import { spendWork } from '../work.ts';
import { stringToInt } from './conversions.ts';

/** Seconds east of UTC at an instant, in a zone given as IANA name or as `±hh:mm`. */
export function zoneOffset(zone: string, seconds: number): number {
  if (zone === '' || zone === 'UTC') return 0;
  return zone.includes(':') ? fixedOffset(zone) : namedOffset(zone, seconds);
}

/** Like cel-go, accepts any two integers. */
function fixedOffset(zone: string): number {
  const colon = zone.indexOf(':');
  const hours = atoi(zone.slice(0, colon));
  const minutes = atoi(zone.slice(colon + 1));
  return 60 * (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes);
}

function atoi(text: string): number {
  try {
    return Number(stringToInt(text));
  } catch {
    const problem = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
    throw new CelError(`strconv.Atoi: parsing ${quote(text)}: ${problem}`);
  }
}

function namedOffset(zone: string, seconds: number): number {
  // The zone of the API server, which is not known here; it runs in UTC in its container.
  if (zone === 'Local') return 0;
  if (zone.includes('..') || /^[/\\]/.test(zone)) throw new CelError('time: invalid location name');
  const formatter = formatters([zone], () => formatterFor(zone));
  const parts = new Map(formatter.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const civil = {
    year,
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
  return civilToSeconds(civil) - seconds;
}

/** Creating a formatter takes about 80 µs, whether or not the zone exists. */
const FORMATTER_WORK = 8000;
const formatters = cacheByTexts<Intl.DateTimeFormat>({ entries: 64, keyLength: 100 });

function formatterFor(zone: string): Intl.DateTimeFormat {
  spendWork(FORMATTER_WORK);
  try {
    const formatter = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: zone });
    if (isSpelledAs(zone, formatter.resolvedOptions().timeZone)) return formatter;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new CelError(`unknown time zone ${zone}`);
}

/** Names are case-sensitive in Go, which reads files. For aliases, only the canonical name is known here. */
function isSpelledAs(zone: string, canonical: string): boolean {
  if (zone.toLowerCase() === canonical.toLowerCase()) return zone === canonical;
  return zone.split('/').every((part) => /^[A-Z]/.test(part));
}

const FIELDS: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};
