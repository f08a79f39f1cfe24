import { addDurations, negateDuration, subtractDurations } from '../library/duration.ts';
import { checkTextLength } from '../library/text-limit.ts';
import { addToTimestamp, subtractFromTimestamp, subtractTimestamps } from '../library/timestamp.ts';
import { spendWork } from '../work.ts';
import { Duration, Timestamp } from './time-values.ts';
import { double, Failure, int, isDouble, isInt, isInt64, isUint64, numberOf, Uint } from './values.ts';

// Every function gets values of any type. Those that cannot be combined are a failure, with two texts: one if the left
// operand has no such operation at all, another if only the right one does not fit.

export function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) return sum;
  }
  if (typeof a === 'string') return typeof b === 'string' ? concatTexts(a, b) : NO_OVERLOAD;
  if (isInt(a)) return isInt(b) ? toInt(BigInt(a) + BigInt(b)) : NO_OVERLOAD;
  if (isDouble(a)) return onDoubles(a, b, (x, y) => x + y);
  if (a instanceof Uint) return b instanceof Uint ? toUint(a.value + b.value) : NO_OVERLOAD;
  if (Array.isArray(a)) return Array.isArray(b) ? concatLists(a, b) : NO_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : NO_OVERLOAD;
  if (a instanceof Duration) {
    if (b instanceof Duration) return new Duration(addDurations(a.nanos, b.nanos));
    return b instanceof Timestamp ? new Timestamp(addToTimestamp(b.time, a.nanos)) : NO_OVERLOAD;
  }
  if (a instanceof Timestamp) {
    return b instanceof Duration ? new Timestamp(addToTimestamp(a.time, b.nanos)) : NO_OVERLOAD;
  }
  return unsupported('_+_', a);
}

export function subtract(a: unknown, b: unknown): unknown {
  if (isInt(a)) return isInt(b) ? toInt(BigInt(a) - BigInt(b)) : NO_OVERLOAD;
  if (isDouble(a)) return onDoubles(a, b, (x, y) => x - y);
  if (a instanceof Uint) return b instanceof Uint ? toUint(a.value - b.value) : NO_OVERLOAD;
  if (a instanceof Duration) {
    return b instanceof Duration ? new Duration(subtractDurations(a.nanos, b.nanos)) : NO_OVERLOAD;
  }
  if (a instanceof Timestamp) {
    if (b instanceof Duration) return new Timestamp(subtractFromTimestamp(a.time, b.nanos));
    return b instanceof Timestamp ? new Duration(subtractTimestamps(a.time, b.time)) : NO_OVERLOAD;
  }
  return unsupported('_-_', a);
}

export function multiply(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Not -0, which ints do not have.
    if (Number.isSafeInteger(product) && Number.isSafeInteger(a) && Number.isSafeInteger(b))
      return product + 0;
  }
  if (isInt(a)) return isInt(b) ? toInt(BigInt(a) * BigInt(b)) : NO_OVERLOAD;
  if (isDouble(a)) return onDoubles(a, b, (x, y) => x * y);
  if (a instanceof Uint) return b instanceof Uint ? toUint(a.value * b.value) : NO_OVERLOAD;
  return unsupported('_*_', a);
}

export function divide(a: unknown, b: unknown): unknown {
  if (isDouble(a)) return onDoubles(a, b, (x, y) => x / y);
  return onIntegers('_/_', a, b, (x, y) => (y === 0n ? new Failure('division by zero') : x / y));
}

export function modulo(a: unknown, b: unknown): unknown {
  if (isDouble(a)) return unsupported('_%_', a);
  return onIntegers('_%_', a, b, (x, y) => {
    if (y === 0n) return new Failure('modulus by zero');
    // The remainder is 0, but Go computes the quotient with it, which does not fit.
    return y === -1n && !isInt64(-x) ? OVERFLOW : x % y;
  });
}

export function negate(a: unknown): unknown {
  if (isInt(a)) return toInt(-BigInt(a));
  if (isDouble(a)) return double(-(numberOf(a) ?? Number.NaN));
  if (a instanceof Duration) return new Duration(negateDuration(a.nanos));
  return typeof a === 'boolean' ? NO_OVERLOAD : unsupported('-_', a);
}

export const NO_OVERLOAD = new Failure('no such overload');
const OVERFLOW = new Failure('integer overflow');

/** The failure of an operation that a value does not have. Types with their own methods have another text in cel-go. */
export function unsupported(operator: string, value: unknown): Failure {
  const hasMethods = typeof value === 'string' || value instanceof Timestamp || value instanceof Duration;
  return hasMethods ? NO_OVERLOAD : new Failure(`no such overload: ${operator}`);
}

export function toInt(value: bigint): unknown {
  return isInt64(value) ? int(value) : OVERFLOW;
}

export function toUint(value: bigint): unknown {
  return isUint64(value) ? new Uint(value) : new Failure('unsigned integer overflow');
}

function onDoubles(a: unknown, b: unknown, combine: (x: number, y: number) => number): unknown {
  if (!isDouble(b)) return NO_OVERLOAD;
  return double(combine(numberOf(a) ?? Number.NaN, numberOf(b) ?? Number.NaN));
}

function onIntegers(
  operator: string,
  a: unknown,
  b: unknown,
  combine: (x: bigint, y: bigint) => bigint | Failure,
): unknown {
  if (isInt(a)) {
    if (!isInt(b)) return NO_OVERLOAD;
    const result = combine(BigInt(a), BigInt(b));
    return result instanceof Failure ? result : toInt(result);
  }
  if (!(a instanceof Uint)) return unsupported(operator, a);
  if (!(b instanceof Uint)) return NO_OVERLOAD;
  const result = combine(a.value, b.value);
  return result instanceof Failure ? result : new Uint(result);
}

function concatTexts(a: string, b: string): string {
  checkTextLength(a.length + b.length);
  // The texts are joined when the result is first read.
  spendWork((a.length + b.length) / 5);
  return a + b;
}

function concatLists(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  spendWork(2 * (a.length + b.length));
  return a.concat(b);
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  spendWork((a.length + b.length) / 4);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
