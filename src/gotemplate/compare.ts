import { compareStrings } from '../golang/utf8.ts';
import { deepEqual } from './deep-equal.ts';
import type { Meter } from './meter.ts';
import { sprintf } from './sprintf.ts';
import { isNil, isUnsigned, kindOf, typeOf, underlying } from './types.ts';
import { Int, Struct, type Value } from './values.ts';

/** Go's eq: true if the first operand equals any of the others. Kinds must agree; a nil equals only a nil. */
export function equalsAny(meter: Meter, first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some((other) => equals(meter, first, other));
}

/** Go's lt; the other orders are derived from it. */
export function isLess(a: Value, b: Value): boolean {
  const kindA = basicKind(a);
  const kindB = basicKind(b);
  if (kindA === undefined || kindB === undefined) throw new Error('invalid type for comparison');
  const [x, y] = [underlying(a), underlying(b)];
  if (x instanceof Int && y instanceof Int) return x.value < y.value;
  if (kindA !== kindB) throw incompatible(a, b);
  if (typeof x === 'number' && typeof y === 'number') return x < y;
  if (typeof x === 'string' && typeof y === 'string') return compareStrings(x, y) < 0;
  throw new Error('invalid type for comparison');
}

/** Go's le, which evaluates eq only if lt is false. */
export function isAtMost(meter: Meter, a: Value, b: Value): boolean {
  return isLess(a, b) || equalsAny(meter, a, [b]);
}

function equals(meter: Meter, a: Value, b: Value): boolean {
  const kindA = basicKind(a);
  const kindB = basicKind(b);
  const [x, y] = [underlying(a), underlying(b)];
  // Integers of any kind compare by value.
  if (x instanceof Int && y instanceof Int) return x.value === y.value;
  if (kindA === kindB && kindA !== undefined) return x === y;
  const aIsSet = a !== null && a !== undefined;
  const bIsSet = b !== null && b !== undefined;
  if (kindA !== kindB) {
    if (aIsSet && bIsSet) throw incompatible(a, b);
    return false;
  }
  return composedEqual(meter, a, b);
}

function composedEqual(meter: Meter, a: Value, b: Value): boolean {
  const comparable = kindOf(a) === kindOf(b) || kindOf(a) === 'invalid' || kindOf(b) === 'invalid';
  if (!comparable) {
    const text = (value: Value) => sprintf('%s', [value], meter);
    throw new Error(
      `non-comparable types ${text(a)}: ${typeOf(a)}, ${typeOf(b)}: ${sprintf('%v', [b], meter)}`,
    );
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (!(b instanceof Struct))
    throw new Error(`non-comparable type ${sprintf('%s', [b], meter)}: ${typeOf(b)}`);
  if (!(a instanceof Struct) || a.type !== b.type) return false;
  return a.raw === b.raw || (a.kind === 'struct' && deepEqual(a, b, meter));
}

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'string' | undefined;

function basicKind(value: Value): BasicKind {
  const plain = underlying(value);
  switch (typeof plain) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
  }
  if (plain instanceof Int) return isUnsigned(plain.kind) ? 'uint' : 'int';
  return undefined;
}

function incompatible(a: Value, b: Value): Error {
  return new Error(`incompatible types for comparison: ${typeOf(a)} and ${typeOf(b)}`);
}
