import { NO_WORK, parsing, perLength } from '../call-work.ts';
import { A, type Implementation, type Overload, overload } from '../declarations.ts';
import {
  bytesToString,
  doubleToInt,
  doubleToString,
  doubleToUint,
  stringToBool,
  stringToBytes,
  stringToDouble,
  stringToInt,
  stringToUint,
} from '../library/conversions.ts';
import { durationToString, parseDuration } from '../library/duration.ts';
import { parseTimestamp, timestampFromInt, timestampToString } from '../library/timestamp.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  typeOfType,
  UINT,
} from '../types.ts';
import { toInt, toUint } from '../values/arithmetic.ts';
import { Duration, Timestamp } from '../values/time-values.ts';
import {
  double,
  Failure,
  int,
  integerOf,
  isDouble,
  numberOf,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/values.ts';
import { traversal } from './cost.ts';
import type { Library } from './merge-libraries.ts';

/** Conversions between types: functions named for the type they convert to. */
export const conversionLibrary: Library = [
  {
    name: 'type',
    call: (value) => new TypeValue(typeNameOf(value)),
    work: NO_WORK,
    overloads: [overload('type', [A], typeOfType(A))],
  },
  { name: 'dyn', call: same, work: NO_WORK, overloads: [overload('to_dyn', [A], DYN)] },
  {
    name: 'bool',
    overloads: [from(BOOL, BOOL, same), from(STRING, BOOL, (text) => stringToBool(String(text)))],
  },
  {
    name: 'bytes',
    work: ([value]) => (typeof value === 'string' ? value.length / 2 : 0),
    overloads: [
      from(BYTES, BYTES, same),
      from(STRING, BYTES, (text) => stringToBytes(String(text)), traversal),
    ],
  },
  {
    name: 'double',
    work: perLength(0.5, 20),
    overloads: [
      from(DOUBLE, DOUBLE, same),
      from(INT, DOUBLE, (value) => double(numberOf(value) ?? 0)),
      from(STRING, DOUBLE, (text) => double(stringToDouble(String(text)))),
      from(UINT, DOUBLE, (value) => double(numberOf(value) ?? 0)),
    ],
  },
  {
    name: 'duration',
    work: parsing(8),
    overloads: [
      from(DURATION, DURATION, same),
      from(
        INT,
        DURATION,
        () => new Failure("type conversion error from 'int' to 'google.protobuf.Duration'"),
      ),
      from(STRING, DURATION, (text) => new Duration(parseDuration(String(text)))),
    ],
  },
  {
    name: 'int',
    work: perLength(0.5, 20),
    overloads: [
      from(INT, INT, same),
      from(DOUBLE, INT, (value) => int(doubleToInt(numberOf(value) ?? 0))),
      from(DURATION, INT, (value) => value instanceof Duration && toInt(value.nanos)),
      from(STRING, INT, (text) => int(stringToInt(String(text)))),
      from(TIMESTAMP, INT, (value) => value instanceof Timestamp && value.time.seconds),
      from(UINT, INT, (value) => value instanceof Uint && toInt(value.value)),
    ],
  },
  {
    name: 'string',
    work: ([value]) => (value instanceof Uint8Array ? value.length / 2 : typeof value === 'string' ? 0 : 50),
    overloads: [
      from(STRING, STRING, same),
      from(BOOL, STRING, textOf),
      from(BYTES, STRING, textOf, traversal),
      from(DOUBLE, STRING, textOf),
      from(DURATION, STRING, textOf),
      from(INT, STRING, textOf),
      from(TIMESTAMP, STRING, textOf),
      from(UINT, STRING, textOf),
    ],
  },
  {
    name: 'timestamp',
    work: parsing(),
    overloads: [
      from(TIMESTAMP, TIMESTAMP, same),
      from(INT, TIMESTAMP, (seconds) => new Timestamp(timestampFromInt(integerOf(seconds) ?? 0n))),
      from(STRING, TIMESTAMP, (text) => new Timestamp(parseTimestamp(String(text)))),
    ],
  },
  {
    name: 'uint',
    work: perLength(0.5, 20),
    overloads: [
      from(UINT, UINT, same),
      from(DOUBLE, UINT, (value) => new Uint(doubleToUint(numberOf(value) ?? 0))),
      from(INT, UINT, (value) => toUint(integerOf(value) ?? 0n)),
      from(STRING, UINT, (text) => new Uint(stringToUint(String(text)))),
    ],
  },
];

function from(type: Type, result: Type, call: Implementation, cost?: Overload['cost']): Overload {
  return overload(`${type.name}_to_${result.name}`, [type], result, call, cost);
}

function same(value: unknown): unknown {
  return value;
}

/** A scalar as text. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return bytesToString(value);
  if (value instanceof Duration) return durationToString(value.nanos);
  if (value instanceof Timestamp) return timestampToString(value.time);
  if (isDouble(value)) return doubleToString(numberOf(value) ?? Number.NaN);
  return String(integerOf(value) ?? value);
}
