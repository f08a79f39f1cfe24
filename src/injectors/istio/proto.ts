import { intOf, named, structType } from '../../gotemplate/host-values.ts';
import type { Struct, Value } from '../../gotemplate/values.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member } from '../../json/member.ts';
import { fieldWords, goNameOf, type PlainKind, typedValue } from './typed-value.ts';

/**
 * A protobuf message over its JSON form, as templates see it: Go's field names, `Get*` methods, enums that print their
 * names. Fields stand in the order of the .proto file, which is the order of its JSON.
 */
export interface ProtoType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, ProtoField>;
}

export interface ProtoField {
  readonly jsonName: string;
  readonly goName: string;
  readonly kind: PlainKind | 'duration' | 'Int32Value' | 'BoolValue' | 'map';
  readonly enum?: readonly string[];
  readonly message?: ProtoType;
  /** A map from any names to such messages. */
  readonly isMap?: boolean;
  /** Of the fields with the same name here only one is set. */
  readonly oneof?: string;
}

/** `config_path:string mode:Mode tags:{}Tag zipkin@tracer:Zipkin`; enums are lists of their names, `@` names a oneof, `{}` is a map. */
export function protoType(
  name: string,
  fields: string,
  types: Readonly<Record<string, ProtoType | readonly string[]>> = {},
): ProtoType {
  const read = fieldWords(fields).map(([names, kind]): ProtoField => {
    const [snake = '', oneof] = names.split('@');
    const jsonName = camelCase(snake);
    const isMap = kind.startsWith('{}');
    const type = types[isMap ? kind.slice(2) : kind];
    return {
      jsonName,
      goName: goNameOf(jsonName),
      kind: type === undefined ? (kind as ProtoField['kind']) : 'any',
      ...(isNames(type) ? { enum: type } : type !== undefined && { message: type, isMap }),
      ...(oneof !== undefined && { oneof }),
    };
  });
  return { name, fields: new Map(read.map((field) => [field.jsonName, field])) };
}

function isNames(type: ProtoType | readonly string[] | undefined): type is readonly string[] {
  return Array.isArray(type);
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Names in their JSON form, nulls gone; what the type does not know is dropped, as Istio drops it. */
export function protoJson(raw: JsonObject, type: ProtoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(raw)) {
    const value = raw[key] as Json;
    const field = type.fields.get(camelCase(key));
    if (field === undefined || value === null) continue;
    result[field.jsonName] = fieldJson(value, field);
  }
  return result;
}

function fieldJson(value: Json, field: ProtoField): Json {
  const { message } = field;
  if (message !== undefined && isJsonObject(value)) {
    const read = (item: Json) => (isJsonObject(item) ? protoJson(item, message) : item);
    return field.isMap ? mapped(value, read) : read(value);
  }
  // A number may be quoted in a proto's JSON, an enum may be given by its number.
  if (field.enum !== undefined && typeof value === 'number') return field.enum[value] ?? value;
  const numeric = ['int32', 'uint32', 'double', 'Int32Value'].includes(field.kind);
  if (numeric && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  return value;
}

function mapped(value: JsonObject, change: (item: Json) => Json): JsonObject {
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, change(value[key] as Json)]));
}

const constructors = new WeakMap<ProtoType, ReturnType<typeof structType<JsonObject>>>();

/** The message as a pointer; `null` is the nil pointer, whose `Get*` methods still answer. */
export function protoPointer(raw: JsonObject | null, type: ProtoType): Struct {
  const known = constructors.get(type) ?? makeConstructor(type);
  constructors.set(type, known);
  return known.pointer(raw);
}

function makeConstructor(type: ProtoType): ReturnType<typeof structType<JsonObject>> {
  const fields: Record<string, (raw: JsonObject) => Value> = {};
  const methods: Record<string, (raw: JsonObject | null) => Value> = {};
  for (const field of type.fields.values()) {
    const read = (raw: JsonObject) => fieldValue(member(raw, field.jsonName) ?? undefined, field);
    fields[field.goName] = read;
    methods[`Get${field.goName}`] = (raw) => read(raw ?? {});
  }
  return structType<JsonObject>({ name: type.name, fields, methods });
}

const wrapper = (name: string) =>
  structType<{ readonly value: Value }>({
    name: `wrapperspb.${name}`,
    fields: { Value: ({ value }) => value },
    methods: { GetValue: (raw) => raw?.value ?? (name === 'BoolValue' ? false : intOf('int32', 0)) },
  });
const boolValue = wrapper('BoolValue');
const int32Value = wrapper('Int32Value');

const duration = structType<{ readonly text: string }>({
  name: 'durationpb.Duration',
  fields: {
    Seconds: ({ text }) => intOf('int64', Math.trunc(Number.parseFloat(text))),
    Nanos: ({ text }) => intOf('int32', Math.round((Number.parseFloat(text) % 1) * 1e9)),
  },
  methods: { String: (raw) => (raw === null ? '' : raw.text) },
});

function fieldValue(value: Json | undefined, field: ProtoField): Value {
  if (field.message !== undefined && !field.isMap)
    return protoPointer(isJsonObject(value) ? value : null, field.message);
  if (field.enum !== undefined) {
    const text = typeof value === 'string' ? value : (field.enum[0] ?? '');
    const number = intOf('int32', Math.max(0, field.enum.indexOf(text)));
    return named(`meshconfig.${field.goName}`, number, { String: () => text });
  }
  switch (field.kind) {
    case 'duration':
      return duration.pointer(typeof value === 'string' ? { text: value } : null);
    case 'BoolValue':
      return boolValue.pointer(typeof value === 'boolean' ? { value } : null);
    case 'Int32Value':
      return int32Value.pointer(typeof value === 'number' ? { value: intOf('int32', value) } : null);
    case 'map':
      return typedValue(value, 'any');
    default:
      return typedValue(value, field.kind);
  }
}

/** Canonical proto JSON: the .proto's order, zero values left out, maps sorted, int64 quoted. */
export function canonicalProto(raw: JsonObject, type: ProtoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const field of type.fields.values()) {
    const value = member(raw, field.jsonName);
    if (value === undefined || value === null || isZero(value, field)) continue;
    result[field.jsonName] = canonicalField(value, field);
  }
  return result;
}

function canonicalField(value: Json, { message, isMap, kind }: ProtoField): Json {
  if (kind === 'duration') return canonicalDuration(String(value));
  if (!isJsonObject(value)) return kind === 'int64' ? String(value) : value;
  if (message === undefined) return kind === 'stringMap' ? mapped(value, (item) => item) : value;
  const write = (item: Json) => (isJsonObject(item) ? canonicalProto(item, message) : item);
  return isMap ? mapped(value, write) : write(value);
}

/** Seconds with none, three, six or nine digits behind the point. */
function canonicalDuration(text: string): string {
  const [, whole = '', part = ''] = /^(-?\d+)\.(\d{1,9})s$/.exec(text) ?? [];
  if (whole === '') return text;
  const digits = part.padEnd(9, '0').replace(/(000){1,3}$/, '');
  return `${whole}${digits === '' ? '' : '.'}${digits}s`;
}

/** Wrappers, messages and what is one of several are there or not; a scalar that is zero is not written. */
function isZero(value: Json, field: ProtoField): boolean {
  if (field.oneof !== undefined) return false;
  if (field.message !== undefined || field.kind === 'BoolValue' || field.kind === 'Int32Value') return false;
  if (field.enum !== undefined) return value === field.enum[0];
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return field.kind === 'stringMap' && Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
