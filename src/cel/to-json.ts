import { CelError } from './cel-error.ts';
import { durationToString } from './library/duration.ts';
import { timestampToString } from './library/timestamp.ts';
import { entriesOf, isMap } from './values/maps.ts';
import { ObjectValue } from './values/object-value.ts';
import { Optional } from './values/optional.ts';
import { Duration, Timestamp } from './values/time-values.ts';
import { integerOf, isDouble, numberOf, typeNameOf } from './values/values.ts';
import { limitWork, spendWork } from './work.ts';

/**
 * The JSON for the result of an expression, as the API server writes it into a JSON Patch: integers beyond 2^53 and
 * durations are strings, an optional is its value or null. Throws a CelError for values that are not JSON.
 * Parts that are already JSON may be shared with the input.
 */
export function toJson(value: unknown): unknown {
  return limitWork(convert, value, 0);
}

/** More than an object may have, and what an expression adds. Far deeper values would overflow the stack wherever they are used. */
const MOST_NESTED = 1200;

function convert(value: unknown, depth: number): unknown {
  spendWork(VALUE_WORK);
  if (depth > MOST_NESTED) throw new CelError('value is nested too deeply for JSON');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Number.isSafeInteger(value)) return value;
  if (Array.isArray(value)) return value.map((item) => convert(item, depth + 1));
  if (isMap(value)) return mapToJson(value, depth);
  if (isDouble(value)) return doubleToJson(numberOf(value) ?? Number.NaN);
  const integer = integerOf(value);
  if (integer !== undefined)
    return integer >= -MAX_EXACT && integer <= MAX_EXACT ? Number(integer) : String(integer);
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof Timestamp) return timestampToString({ ...value.time, offset: 0 });
  if (value instanceof Duration) return durationToString(value.nanos);
  if (value instanceof Optional) return convert(value.value ?? null, depth + 1);
  if (value instanceof ObjectValue) return entriesToJson(value.fields, depth);
  throw new CelError(conversionProblem(typeNameOf(value)));
}

/** A value that appears several times is converted as often. */
const VALUE_WORK = 3;

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function mapToJson(map: Parameters<typeof entriesOf>[0], depth: number): unknown {
  const entries: [string, unknown][] = [];
  for (const [key, value] of entriesOf(map)) {
    if (typeof key !== 'string')
      throw new CelError(`unsupported type conversion from '${typeNameOf(key)}' to string`);
    entries.push([key, value]);
  }
  return entriesToJson(entries, depth);
}

/** `Object.fromEntries` treats `__proto__` as a key like any other. */
function entriesToJson(entries: Iterable<readonly [string, unknown]>, depth: number): unknown {
  return Object.fromEntries(Array.from(entries, ([key, value]) => [key, convert(value, depth + 1)]));
}

function doubleToJson(value: number): number {
  if (Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
  throw new CelError(
    `json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid ${name} value`,
  );
}

function toBase64(bytes: Uint8Array): string {
  spendWork(2 * bytes.length);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function conversionProblem(typeName: string): string {
  if (typeName === 'type') return "type conversion not supported for 'type'";
  return `type conversion error from '${typeName.slice(typeName.lastIndexOf('.') + 1)}' to '*structpb.Value'`;
}
