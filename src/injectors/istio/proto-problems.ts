import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member } from '../../json/member.ts';
import type { ProtoField, ProtoType } from './proto.ts';

/** What is wrong with a message by its types: all of it, each with the name of the field. */
export function protoProblems(raw: JsonObject, type: ProtoType): readonly string[] {
  return [...type.fields.values()].flatMap((field): readonly string[] => {
    const value = member(raw, field.jsonName);
    if (value === undefined || value === null) return [];
    const expected = mismatch(value, field);
    if (expected !== undefined)
      return [`${field.jsonName}: expected ${expected}, found ${JSON.stringify(value)}`];
    const { jsonName, message } = field;
    if (message === undefined || !isJsonObject(value)) return [];
    if (!field.isMap) return protoProblems(value, message).map((problem) => `${jsonName}.${problem}`);
    return Object.keys(value).flatMap((key) => {
      const item = value[key] ?? null;
      if (!isJsonObject(item)) return [`${jsonName}.${key}: expected a map, found ${JSON.stringify(item)}`];
      return protoProblems(item, message).map((problem) => `${jsonName}.${key}.${problem}`);
    });
  });
}

function mismatch(value: Json, field: ProtoField): string | undefined {
  if (field.message !== undefined) return isJsonObject(value) ? undefined : 'a map';
  if (field.enum !== undefined) {
    return field.enum.includes(String(value)) ? undefined : `one of ${field.enum.join(', ')}`;
  }
  const integer = (low: number, high: number) =>
    typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
      ? undefined
      : 'an integer';
  switch (field.kind) {
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case 'bool':
    case 'BoolValue':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'int32':
    case 'Int32Value':
      return integer(-(2 ** 31), 2 ** 31 - 1);
    case 'uint32':
      return integer(0, 2 ** 32 - 1);
    case 'double':
      return typeof value === 'number' ? undefined : 'a number';
    case 'duration':
      return typeof value === 'string' && /^-?\d+(\.\d{1,9})?s$/.test(value)
        ? undefined
        : 'a duration such as "5s"';
    case 'strings':
      return isJsonArray(value) && value.every((item) => typeof item === 'string')
        ? undefined
        : 'a list of strings';
    case 'stringMap':
      return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
        ? undefined
        : 'a map of strings';
    case 'map':
      return isJsonObject(value) ? undefined : 'a map';
    default:
      return undefined;
  }
}
