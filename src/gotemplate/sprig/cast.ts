import { parseFloat64, parseInteger } from '../../golang/parse-number.ts';
import type { Meter } from '../meter.ts';
import { stringerText } from '../methods.ts';
import { printOne } from '../print.ts';
import { isTrue } from '../truth.ts';
import { Int, type IntKind, type Value } from '../values.ts';

/** Converts an operand of sprig's arithmetic to an integer; 0 if it cannot be converted. */
export function toBigInt(value: Value): bigint {
  if (value instanceof Int) return BigInt.asIntN(64, value.value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : -(2n ** 63n);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const int = parseInteger(value.replace(/\.0+$/, ''));
  return int === undefined || BigInt.asIntN(64, int) !== int ? 0n : int;
}

export function toFloat(value: Value): number {
  if (value instanceof Int) return Number(value.value);
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? (parseFloat64(value) ?? 0) : 0;
}

/** An integer result. Like Go's, it wraps around. */
export function wrapInt(value: bigint, kind: IntKind = 'int64'): Int {
  return new Int(kind, BigInt.asIntN(64, value));
}

/** Converts a value to text for quote, join, dict and toString: by its Error or String method, else by %v. */
export function strval(value: Value, meter: Meter): string {
  if (typeof value === 'string') return value;
  return stringerText(value) ?? printOne(value, meter);
}

/** Sprig's empty values are those that are false in a condition. */
export function isEmpty(value: Value): boolean {
  return !isTrue(value);
}
