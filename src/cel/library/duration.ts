import { formatFloat } from '../../golang/format-float.ts';
import { MAX_INT64 } from '../../golang/parse-number.ts';
import { conversionError } from './conversions.ts';
import { checkInt } from './int64.ts';

/** A duration in nanoseconds, an int64. Go's syntax: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): bigint {
  const nanos = parse(text);
  if (nanos === undefined) throw conversionError('string', 'google.protobuf.Duration');
  return nanos;
}

/** Seconds with the digits of a float64: `5400s`, `0.000005s`. */
export function durationToString(nanos: bigint): string {
  return `${formatFloat(inUnits(nanos, NANOS_PER_SECOND), 'f')}s`;
}

export function addDurations(left: bigint, right: bigint): bigint {
  return checkInt(left + right);
}

export function subtractDurations(left: bigint, right: bigint): bigint {
  return checkInt(left - right);
}

export function negateDuration(nanos: bigint): bigint {
  return checkInt(-nanos);
}

/** The getters convert the whole duration. */
export function durationHours(nanos: bigint): bigint {
  return BigInt(Math.trunc(inUnits(nanos, 3600n * NANOS_PER_SECOND)));
}

export function durationMinutes(nanos: bigint): bigint {
  return BigInt(Math.trunc(inUnits(nanos, 60n * NANOS_PER_SECOND)));
}

export function durationSeconds(nanos: bigint): bigint {
  return BigInt(Math.trunc(inUnits(nanos, NANOS_PER_SECOND)));
}

export function durationMilliseconds(nanos: bigint): bigint {
  return nanos / 1_000_000n;
}

export const NANOS_PER_SECOND = 1_000_000_000n;

/** Go adds the whole units and the rest as floats. */
function inUnits(nanos: bigint, unit: bigint): number {
  return Number(nanos / unit) + Number(nanos % unit) / Number(unit);
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['h', 3600n * NANOS_PER_SECOND],
]);

const PART = /(\d*)(?:\.(\d*))?([^\d.]+)/y;
const LIMIT = MAX_INT64 + 1n;

function parse(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const body = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let sum = 0n;
  PART.lastIndex = 0;
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    const nanos = partNanos(PART.exec(body));
    if (nanos === undefined) return undefined;
    sum += nanos;
    if (sum > LIMIT) return undefined;
  }
  if (isNegative) return -sum;
  return sum === LIMIT ? undefined : sum;
}

function partNanos(match: RegExpExecArray | null): bigint | undefined {
  if (match === null) return undefined;
  const [, whole = '', fraction = '', name = ''] = match;
  const unit = UNITS.get(name);
  const digits = whole.replace(/^0+/, '');
  if (unit === undefined || whole + fraction === '' || digits.length > 19) return undefined;
  return BigInt(digits) * unit + fractionNanos(fraction, unit);
}

/** Go computes fractions in floats, from as many digits as fit into an int64. */
function fractionNanos(fraction: string, unit: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction.slice(0, 20)) {
    if (digits > MAX_INT64 / 10n) break;
    const next = digits * 10n + BigInt(digit);
    if (next > LIMIT) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}
