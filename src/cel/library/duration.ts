import { NANOS_PER_SECOND, parseDuration as parseGoDuration } from '../../golang/duration.ts';
import { formatFloat } from '../../golang/format-float.ts';
import { conversionError } from './conversions.ts';
import { checkInt } from './int64.ts';

/** A duration in nanoseconds, an int64. Go's syntax: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): bigint {
  const nanos = parseGoDuration(text);
  if (typeof nanos !== 'bigint') throw conversionError('string', 'google.protobuf.Duration');
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

/** Go adds the whole units and the rest as floats. */
function inUnits(nanos: bigint, unit: bigint): number {
  return Number(nanos / unit) + Number(nanos % unit) / Number(unit);
}
