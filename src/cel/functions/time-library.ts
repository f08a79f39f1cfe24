import { type FunctionDeclaration, method } from '../declarations.ts';
import {
  durationHours,
  durationMilliseconds,
  durationMinutes,
  durationSeconds,
} from '../library/duration.ts';
import { type TimestampField, timestampField } from '../library/timestamp-fields.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../types.ts';
import { Duration, Timestamp } from '../values/time-values.ts';
import { Failure, int } from '../values/values.ts';
import { spendWork } from '../work.ts';
import type { Library } from './merge-libraries.ts';

/** Parts of timestamps, in a time zone if one is given. Getters of durations convert the whole duration. */
export const timeLibrary: Library = [
  getter('getFullYear'),
  getter('getMonth'),
  getter('getDayOfYear'),
  getter('getDayOfMonth'),
  getter('getDate'),
  getter('getDayOfWeek'),
  getter('getHours', durationHours),
  getter('getMinutes', durationMinutes),
  getter('getSeconds', durationSeconds),
  getter('getMilliseconds', durationMilliseconds),
];

function getter(name: TimestampField, ofDuration?: (nanos: bigint) => bigint): FunctionDeclaration {
  const read = (value: unknown, zone?: unknown) => {
    if (!(value instanceof Timestamp)) return new Failure('no such overload');
    spendWork(zone === undefined ? 20 : 500);
    return int(timestampField(name, value.time, typeof zone === 'string' ? zone : 'UTC'));
  };
  const overloads = [
    method(`timestamp_${name}`, [TIMESTAMP], INT, read),
    method(`timestamp_${name}_with_tz`, [TIMESTAMP, STRING], INT, read),
  ];
  if (ofDuration !== undefined) {
    const convert = (value: unknown) => value instanceof Duration && int(ofDuration(value.nanos));
    overloads.push(method(`duration_${name}`, [DURATION], INT, convert));
  }
  return { name, overloads };
}
