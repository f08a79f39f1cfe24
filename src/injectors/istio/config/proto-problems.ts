import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  shortened,
} from '../../../sdk/index.ts';
import { protoDuration } from './go-duration.ts';
import type { ProtoField, ProtoType } from './proto.ts';

/** All type errors in a message that `protoJson` read, each with the path of its field. */
export function protoProblems(raw: JsonObject, type: ProtoType): readonly string[] {
  return [...type.fields.values()].flatMap((field) => {
    const value = member(raw, field.jsonName) ?? null;
    return value === null ? [] : fieldProblems(value, field);
  });
}

function fieldProblems(value: Json, field: ProtoField): readonly string[] {
  const { jsonName, form } = field;
  if (form === 'list') {
    if (!isJsonArray(value)) return [mismatch(jsonName, 'a list', value)];
    return value.flatMap((item, index) => itemProblems(item, field, `${jsonName}[${index}]`));
  }
  if (form === 'map') {
    if (!isJsonObject(value)) return [mismatch(jsonName, 'a map', value)];
    return Object.keys(value).flatMap((key) => itemProblems(value[key] ?? null, field, `${jsonName}.${key}`));
  }
  return itemProblems(value, field, jsonName);
}

function itemProblems(value: Json, field: ProtoField, path: string): readonly string[] {
  const expected = expectedKind(value, field);
  if (expected !== undefined) return [mismatch(path, expected, value)];
  if (field.message === undefined || !isJsonObject(value)) return [];
  return protoProblems(value, field.message).map((problem) => `${path}.${problem}`);
}

function mismatch(path: string, expected: string, found: Json): string {
  return `${shortened(path)}: expected ${expected}, found ${shortened(JSON.stringify(found))}`;
}

/** The kind that was expected; undefined if the value has it. */
function expectedKind(value: Json, field: ProtoField): string | undefined {
  if (field.message !== undefined) return isJsonObject(value) ? undefined : 'a map';
  if (field.enum !== undefined) {
    // Protobuf keeps numbers that it does not know.
    const isKnown = typeof value === 'string' ? field.enum.numbers.has(value) : isInteger(value, ...INT32);
    return isKnown ? undefined : `one of ${[...field.enum.numbers.keys()].join(', ')}`;
  }
  const [isKind, name] = KINDS[field.kind] ?? [() => true, ''];
  return isKind(value) ? undefined : name;
}

type Range = readonly [low: number, high: number];
type Kind = readonly [isKind: (value: Json) => boolean, name: string];

const INT32: Range = [-(2 ** 31), 2 ** 31 - 1];
const integerIn = (range: Range): Kind => [(value) => isInteger(value, ...range), 'an integer'];
const int32 = integerIn(INT32);
const uint32 = integerIn([0, 2 ** 32 - 1]);
const int64 = integerIn([-(2 ** 63), 2 ** 63]);
const uint64 = integerIn([0, 2 ** 64]);
const bool: Kind = [(value) => typeof value === 'boolean', 'true or false'];
const number: Kind = [(value) => typeof value === 'number' || isSpecialNumber(value), 'a number'];
const string: Kind = [isString, 'a string'];

const KINDS: Partial<Record<ProtoField['kind'], Kind>> = {
  string,
  StringValue: string,
  bool,
  BoolValue: bool,
  int32,
  Int32Value: int32,
  uint32,
  UInt32Value: uint32,
  int64,
  Int64Value: int64,
  uint64,
  UInt64Value: uint64,
  double: number,
  DoubleValue: number,
  float: number,
  FloatValue: number,
  duration: [
    (value) => typeof value === 'string' && protoDuration(value) !== undefined,
    'a duration such as "5s" or "100ms"',
  ],
  strings: [(value) => isJsonArray(value) && value.every(isString), 'a list of strings'],
  stringMap: [(value) => isJsonObject(value) && Object.values(value).every(isString), 'a map of strings'],
};

function isString(value: Json): boolean {
  return typeof value === 'string';
}

function isSpecialNumber(value: Json): boolean {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity';
}

function isInteger(value: Json, low: number, high: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}
