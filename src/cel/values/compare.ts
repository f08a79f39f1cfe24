import { compareText } from '../library/strings.ts';
import { compareTimestamps } from '../library/timestamp.ts';
import { spendWork } from '../work.ts';
import { NO_OVERLOAD, unsupported } from './arithmetic.ts';
import { isNumber } from './equal.ts';
import { Duration, Timestamp } from './time-values.ts';
import { Failure, integerOf, isDouble, numberOf } from './values.ts';

/** Negative, zero or positive; a failure for values that have no order. */
export function compare(a: unknown, b: unknown, operator: string): number | Failure {
  if (typeof a === 'number' && typeof b === 'number') return compareDoubles(a, b);
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : NO_OVERLOAD;
  if (isNumber(a)) return isNumber(b) ? compareNumbers(a, b) : NO_OVERLOAD;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : NO_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : NO_OVERLOAD;
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareTimestamps(a.time, b.time) : NO_OVERLOAD;
  if (a instanceof Duration) return b instanceof Duration ? compareIntegers(a.nanos, b.nanos) : NO_OVERLOAD;
  return unsupported(operator, a);
}

function compareStrings(a: string, b: string): number {
  spendWork(Math.min(a.length, b.length) / 4);
  return compareText(a, b);
}

/** Integers compare exactly, and with a double as doubles. */
function compareNumbers(a: unknown, b: unknown): number | Failure {
  if (isDouble(a) || isDouble(b)) return compareDoubles(numberOf(a) ?? Number.NaN, numberOf(b) ?? Number.NaN);
  return compareIntegers(integerOf(a) ?? 0n, integerOf(b) ?? 0n);
}

function compareDoubles(a: number, b: number): number | Failure {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : new Failure('NaN values cannot be ordered');
}

function compareIntegers(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  spendWork(shared / 5);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
