import { MAX_INT64 } from './parse-number.ts';
import { quote } from './strconv.ts';

export const NANOS_PER_SECOND = 1_000_000_000n;

/** Go's time.ParseDuration, in nanoseconds: `1h30m`, `-1.5s`, `0`; a message if the text is invalid. */
export function parseDuration(text: string): bigint | { readonly problem: string } {
  const isNegative = text.startsWith('-');
  const body = isNegative || text.startsWith('+') ? text.slice(1) : text;
  const invalid = (detail = 'invalid duration') => ({ problem: `time: ${detail} ${quote(text)}` });
  if (body === '0') return 0n;
  if (body === '') return invalid();
  let sum = 0n;
  PART.lastIndex = 0;
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    const [part = '', whole = '', fraction = '', name = ''] = PART.exec(body) ?? [];
    const digits = whole.replace(/^0+/, '');
    if (part === '' || whole + fraction === '' || digits.length > 19) return invalid();
    if (name === '') return invalid('missing unit in duration');
    const unit = UNITS.get(name);
    if (unit === undefined) return invalid(`unknown unit ${quote(name)} in duration`);
    sum += BigInt(digits) * unit + fractionNanos(fraction, unit);
    if (sum > LIMIT) return invalid();
  }
  if (isNegative) return -sum;
  return sum === LIMIT ? invalid() : sum;
}

/** Go's Duration.String: `1h30m0s`, `1.5s`, `100ms`. */
export function durationText(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) return '0s';
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${inUnit(size, 1000n)}\u00b5s`;
  if (size < NANOS_PER_SECOND) return `${sign}${inUnit(size, 1_000_000n)}ms`;
  const minutes = size / (60n * NANOS_PER_SECOND);
  const seconds = `${inUnit(size % (60n * NANOS_PER_SECOND), NANOS_PER_SECOND)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  return minutes < 60n
    ? `${sign}${minutes}m${seconds}`
    : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function inUnit(nanos: bigint, unit: bigint): string {
  const digits = String(nanos % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return digits === '' ? String(nanos / unit) : `${nanos / unit}.${digits}`;
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

const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
const LIMIT = MAX_INT64 + 1n;

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
