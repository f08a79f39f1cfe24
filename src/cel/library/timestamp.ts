import { civilToSeconds, daysInMonth, secondsToCivil } from '../../golang/calendar.ts';
import { NANOS_PER_SECOND } from '../../golang/duration.ts';
import { CelError } from '../cel-error.ts';
import { conversionError } from './conversions.ts';
import { negateDuration } from './duration.ts';
import { checkInt } from './int64.ts';

/** An instant of the years 0001 to 9999. The offset is that of the text it was parsed from, and only printed. */
export interface Timestamp {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  /** Seconds east of UTC. */
  readonly offset: number;
}

/** RFC 3339 as Go's time.Parse reads it: also an hour of one digit, a decimal comma, and the offset 24:60. */
export function parseTimestamp(text: string): Timestamp {
  const match = RFC_3339.exec(text);
  if (match === null) throw invalid();
  const [, year, month, day, hour, minute, second] = match.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 59) throw invalid();
  const offset = parseOffset(match[8] ?? '');
  const nanos = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return timestampOf(civilToSeconds({ year, month, day, hour, minute, second }) - offset, nanos, offset);
}

/** Seconds since 1970. */
export function timestampFromInt(seconds: bigint): Timestamp {
  return timestampOf(Number(seconds), 0, 0);
}

export function timestampToString({ seconds, nanos, offset }: Timestamp): string {
  const { year, month, day, hour, minute, second } = secondsToCivil(seconds + offset);
  const date = `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
  const fraction = nanos === 0 ? '' : `.${padded(nanos, 9).replace(/0+$/, '')}`;
  return `${date}T${padded(hour)}:${padded(minute)}:${padded(second)}${fraction}${offsetText(offset)}`;
}

export function compareTimestamps(left: Timestamp, right: Timestamp): number {
  return left.seconds - right.seconds || left.nanos - right.nanos;
}

export function addToTimestamp({ seconds, nanos, offset }: Timestamp, duration: bigint): Timestamp {
  const sum = BigInt(nanos) + duration;
  const rest = ((sum % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return timestampOf(seconds + Number((sum - rest) / NANOS_PER_SECOND), Number(rest), offset);
}

export function subtractFromTimestamp(timestamp: Timestamp, duration: bigint): Timestamp {
  return addToTimestamp(timestamp, negateDuration(duration));
}

/** The duration between two timestamps. */
export function subtractTimestamps(left: Timestamp, right: Timestamp): bigint {
  const seconds = checkInt(BigInt(left.seconds - right.seconds) * NANOS_PER_SECOND);
  return checkInt(seconds + BigInt(left.nanos - right.nanos));
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;

function timestampOf(seconds: number, nanos: number, offset: number): Timestamp {
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) throw new CelError('timestamp overflow');
  return { seconds, nanos, offset };
}

function parseOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 24 || minutes > 60) throw invalid();
  return (zone.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset) / 60;
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}

function padded(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}

function invalid(): CelError {
  return conversionError('string', 'google.protobuf.Timestamp');
}
