import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import { shortened } from '../message.ts';
import type { ProtoField, ProtoType } from './proto.ts';

/** All type errors in a message, each with the path of its field. */
export function protoProblems(raw: JsonObject, type: ProtoType): readonly string[] {
  return [...type.fields.values()].flatMap((field) => {
    const value = member(raw, field.jsonName) ?? null;
    return value === null ? [] : fieldProblems(value, field);
  });
}

function fieldProblems(value: Json, field: ProtoField): readonly string[] {
  const { jsonName, message } = field;
  const expected = expectedKind(value, field);
  if (expected !== undefined) return [mismatch(jsonName, expected, value)];
  if (message === undefined || !isJsonObject(value)) return [];
  if (!field.isMap) return protoProblems(value, message).map((problem) => `${jsonName}.${problem}`);
  return Object.keys(value).flatMap((key) => {
    const item = value[key] ?? null;
    if (!isJsonObject(item)) return [mismatch(`${jsonName}.${key}`, 'a map', item)];
    return protoProblems(item, message).map((problem) => `${jsonName}.${key}.${problem}`);
  });
}

function mismatch(path: string, expected: string, found: Json): string {
  return `${shortened(path)}: expected ${expected}, found ${shortened(JSON.stringify(found))}`;
}

/** The kind that was expected; undefined if the value has it. */
function expectedKind(value: Json, field: ProtoField): string | undefined {
  if (field.message !== undefined) return isJsonObject(value) ? undefined : 'a map';
  if (field.enum !== undefined)
    return field.enum.includes(String(value)) ? undefined : `one of ${field.enum.join(', ')}`;
  const [isKind, name] = KINDS[field.kind] ?? [() => true, ''];
  return isKind(value) ? undefined : name;
}

const int32 = [(value: Json) => isInteger(value, -(2 ** 31), 2 ** 31 - 1), 'an integer'] as const;
const bool = [(value: Json) => typeof value === 'boolean', 'true or false'] as const;

const KINDS: Partial<Record<ProtoField['kind'], readonly [(value: Json) => boolean, name: string]>> = {
  string: [isString, 'a string'],
  bool,
  BoolValue: bool,
  int32,
  Int32Value: int32,
  uint32: [(value) => isInteger(value, 0, 2 ** 32 - 1), 'an integer'],
  double: [(value) => typeof value === 'number', 'a number'],
  duration: [
    (value) => typeof value === 'string' && /^-?\d+(\.\d{1,9})?s$/.test(value),
    'a duration such as "5s"',
  ],
  strings: [(value) => isJsonArray(value) && value.every(isString), 'a list of strings'],
  stringMap: [(value) => isJsonObject(value) && Object.values(value).every(isString), 'a map of strings'],
  map: [isJsonObject, 'a map'],
};

function isString(value: Json): boolean {
  return typeof value === 'string';
}

function isInteger(value: Json, low: number, high: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
}
