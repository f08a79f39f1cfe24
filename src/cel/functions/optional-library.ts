import { NO_WORK } from '../call-work.ts';
import { A, method, overload } from '../declarations.ts';
import { BOOL, listOf, optionalOf } from '../types.ts';
import { isMap, sizeOfMap } from '../values/maps.ts';
import { NONE, Optional } from '../values/optional.ts';
import { Duration, Timestamp } from '../values/time-values.ts';
import { Failure, integerOf, messageText, numberOf, Special } from '../values/values.ts';
import type { Library } from './merge-libraries.ts';

/** Optional values. `or` and `orValue` are compiled specially, since they evaluate their argument lazily. */
export const optionalLibrary: Library = [
  {
    name: 'optional.of',
    work: NO_WORK,
    overloads: [overload('optional_of', [A], optionalOf(A), (value) => new Optional(value))],
  },
  {
    name: 'optional.ofNonZeroValue',
    work: NO_WORK,
    overloads: [
      overload('optional_ofNonZeroValue', [A], optionalOf(A), (value) =>
        isZero(value) ? NONE : new Optional(value),
      ),
    ],
  },
  { name: 'optional.none', overloads: [overload('optional_none', [], optionalOf(A), () => NONE)] },
  { name: 'hasValue', overloads: [method('optional_hasValue', [optionalOf(A)], BOOL, hasValue)] },
  { name: 'value', overloads: [method('optional_value', [optionalOf(A)], A, dereference)] },
  { name: 'or', overloads: [method('optional_or_optional', [optionalOf(A), optionalOf(A)], optionalOf(A))] },
  { name: 'orValue', overloads: [method('optional_orValue_value', [optionalOf(A), A], A)] },
  {
    name: 'first',
    work: NO_WORK,
    overloads: [method('list_first', [listOf(A)], optionalOf(A), (list) => element(list, 0))],
  },
  {
    name: 'last',
    work: NO_WORK,
    overloads: [method('list_last', [listOf(A)], optionalOf(A), (list) => element(list, -1))],
  },
  {
    name: 'optional.unwrap',
    overloads: [overload('optional_unwrap', [listOf(optionalOf(A))], listOf(A), unwrap)],
  },
  {
    name: 'unwrapOpt',
    overloads: [method('optional_unwrapOpt', [listOf(optionalOf(A))], listOf(A), unwrap)],
  },
];

/** The empty value of its type. Quantities, addresses and the like have none. */
function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.time.seconds === YEAR_ONE && value.time.nanos === 0;
  if (value instanceof Special && value.isZero) return true;
  if (isMap(value)) return sizeOfMap(value) === 0;
  return integerOf(value) === 0n || numberOf(value) === 0;
}

/** Go's zero time, in seconds since 1970. */
const YEAR_ONE = -62_135_596_800;

function hasValue(optional: unknown): boolean {
  return optional instanceof Optional && optional.value !== undefined;
}

function dereference(optional: unknown): unknown {
  const value = optional instanceof Optional ? optional.value : undefined;
  return value === undefined ? new Failure('optional.none() dereference') : value;
}

function element(list: unknown, index: number): Optional {
  const value: unknown = Array.isArray(list) ? list.at(index) : undefined;
  return value === undefined ? NONE : new Optional(value);
}

function unwrap(list: unknown): unknown {
  const values: unknown[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    if (!(item instanceof Optional)) return new Failure(`value ${messageText(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return values;
}
