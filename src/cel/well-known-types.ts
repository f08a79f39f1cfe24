import { NANOS_PER_SECOND } from '../golang/duration.ts';
import type { StructType } from './declarations.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapperOf,
} from './types.ts';
import { toInt } from './values/arithmetic.ts';
import { entriesOf, isMap, MapBuilder } from './values/maps.ts';
import { Duration, Timestamp } from './values/time-values.ts';
import { double, Failure, integerOf, numberOf, Uint } from './values/values.ts';

/** The types of protobuf that an expression can construct: they become values of CEL at once. */
export interface WellKnownType {
  readonly type: Type;
  readonly struct: StructType;
}

export function findWellKnownType(name: string): WellKnownType | undefined {
  return TYPES.get(name) ?? ALIASES.get(name);
}

const JSON_MAP = mapOf(STRING, DYN);
const JSON_LIST = listOf(DYN);

const TYPES: ReadonlyMap<string, WellKnownType> = new Map([
  wrapper('BoolValue', BOOL, false),
  wrapper('BytesValue', BYTES, new Uint8Array()),
  wrapper('DoubleValue', DOUBLE, double(0)),
  wrapper('FloatValue', DOUBLE, double(0), (value) => double(Math.fround(numberOf(value) ?? Number.NaN))),
  wrapper('Int32Value', INT, 0, (value) => within(value, -(1n << 31n), 1n << 31n, 'Int32Value')),
  wrapper('Int64Value', INT, 0),
  wrapper('StringValue', STRING, ''),
  wrapper('UInt32Value', UINT, new Uint(0n), (value) => within(value, 0n, 1n << 32n, 'UInt32Value')),
  wrapper('UInt64Value', UINT, new Uint(0n)),
  wellKnown('Timestamp', TIMESTAMP, { seconds: INT, nanos: INT }, (fields) => {
    const total = nanosOf(fields);
    const nanos = ((total % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
    return new Timestamp({
      seconds: Number((total - nanos) / NANOS_PER_SECOND),
      nanos: Number(nanos),
      offset: 0,
    });
  }),
  wellKnown('Duration', DURATION, { seconds: INT, nanos: INT }, (fields) => {
    const nanos = nanosOf(fields);
    const checked = toInt(nanos);
    return checked instanceof Failure ? checked : new Duration(nanos);
  }),
  wellKnown('Struct', JSON_MAP, { fields: JSON_MAP }, (fields) => jsonOf(fields.get('fields') ?? {})),
  wellKnown('ListValue', JSON_LIST, { values: JSON_LIST }, (fields) => jsonOf(fields.get('values') ?? [])),
  wellKnown(
    'Value',
    DYN,
    {
      null_value: INT,
      number_value: DOUBLE,
      string_value: STRING,
      bool_value: BOOL,
      struct_value: JSON_MAP,
      list_value: JSON_LIST,
    },
    (fields) => {
      for (const [name, value] of fields) if (name !== 'null_value') return jsonOf(value);
      return null;
    },
  ),
]);

/** Kubernetes declares these names too. They compile, but cannot be used. */
const ALIASES: ReadonlyMap<string, WellKnownType> = new Map([
  ['duration', { type: DURATION, struct: { field: () => undefined } }],
  ['timestamp', { type: TIMESTAMP, struct: { field: () => undefined } }],
]);

function wellKnown(
  name: string,
  type: Type,
  fields: Readonly<Record<string, Type>>,
  construct: StructType['construct'] & {},
): [string, WellKnownType] {
  const types = new Map(Object.entries(fields));
  return [`google.protobuf.${name}`, { type, struct: { field: (field) => types.get(field), construct } }];
}

function wrapper(
  name: string,
  type: Type,
  zero: unknown,
  convert: (value: unknown) => unknown = (value) => value,
): [string, WellKnownType] {
  return wellKnown(name, wrapperOf(type), { value: type }, (fields) => {
    return fields.has('value') ? convert(fields.get('value')) : zero;
  });
}

function within(value: unknown, least: bigint, limit: bigint, name: string): unknown {
  const integer = integerOf(value);
  if (integer !== undefined && integer >= least && integer < limit) return value;
  const what = name.startsWith('U') ? 'unsigned integer' : 'integer';
  return new Failure(
    `field type conversion error for google.protobuf.${name}.value value type: ${what} overflow`,
  );
}

function nanosOf(fields: ReadonlyMap<string, unknown>): bigint {
  const [seconds, nanos] = [integerOf(fields.get('seconds')) ?? 0n, integerOf(fields.get('nanos')) ?? 0n];
  return seconds * NANOS_PER_SECOND + nanos;
}

/** Numbers of JSON are doubles here. */
function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (isMap(value)) {
    const builder = new MapBuilder();
    for (const [key, item] of entriesOf(value)) builder.set(key, jsonOf(item));
    return builder.map;
  }
  const number = numberOf(value);
  return number === undefined ? value : double(number);
}
