import { intOf, named, structType } from '../../../gotemplate/host-values.ts';
import type { Struct, Value } from '../../../gotemplate/values.ts';
import { isJsonObject, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import { fieldWords, goNameOf, type PlainKind, typedValue } from '../pod-types/typed-value.ts';

/** A protobuf message. Its fields are in the order of the .proto file, by their names in JSON. */
export interface ProtoType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, ProtoField>;
  /** The message as templates see it, by Go's names. For `null`, the nil pointer, the `Get*` methods return zero values. */
  readonly pointer: (raw: JsonObject | null) => Struct;
}

export interface ProtoField {
  readonly jsonName: string;
  readonly goName: string;
  readonly kind: PlainKind | 'duration' | 'Int32Value' | 'BoolValue' | 'map';
  readonly enum?: readonly string[];
  readonly message?: ProtoType;
  /** Whether the field is a map of such messages. */
  readonly isMap?: boolean;
  /** The name of the oneof: at most one field of the same oneof is set. */
  readonly oneof?: string;
}

/** Fields are written like `config_path:string mode:Mode tags:{}Tag zipkin@tracer:Zipkin`: `{}` is a map, `@` names a oneof. */
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
      ...(isEnum(type) ? { enum: type } : type !== undefined && { message: type, isMap }),
      ...(oneof !== undefined && { oneof }),
    };
  });
  return {
    name,
    fields: new Map(read.map((field) => [field.jsonName, field])),
    pointer: pointerTo(name, read),
  };
}

function isEnum(type: ProtoType | readonly string[] | undefined): type is readonly string[] {
  return Array.isArray(type);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The message with JSON names, without nulls. Unknown fields are dropped, as Istio does. */
export function protoJson(raw: JsonObject, type: ProtoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(raw)) {
    const value = raw[key] as Json;
    const field = type.fields.get(camelCase(key));
    if (field !== undefined && value !== null) result[field.jsonName] = fieldJson(value, field);
  }
  return result;
}

function fieldJson(value: Json, field: ProtoField): Json {
  const { message } = field;
  if (message !== undefined && isJsonObject(value)) {
    const read = (item: Json) => (isJsonObject(item) ? protoJson(item, message) : item);
    return field.isMap ? mapSorted(value, read) : read(value);
  }
  // Protobuf's JSON also has enums as numbers, and numbers in quotes.
  if (field.enum !== undefined && typeof value === 'number') return field.enum[value] ?? value;
  const isNumeric = ['int32', 'uint32', 'double', 'Int32Value'].includes(field.kind);
  if (isNumeric && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  return value;
}

export function mapSorted(value: JsonObject, change: (item: Json) => Json): JsonObject {
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, change(value[key] as Json)]));
}

function pointerTo(name: string, protoFields: readonly ProtoField[]): ProtoType['pointer'] {
  const fields: Record<string, (raw: JsonObject) => Value> = {};
  const methods: Record<string, (raw: JsonObject | null) => Value> = {};
  for (const field of protoFields) {
    const read = (raw: JsonObject) => fieldValue(member(raw, field.jsonName) ?? undefined, field);
    fields[field.goName] = read;
    methods[`Get${field.goName}`] = (raw) => read(raw ?? {});
  }
  return structType<JsonObject>({ name, fields, methods }).pointer;
}

function fieldValue(value: Json | undefined, field: ProtoField): Value {
  if (field.message !== undefined && !field.isMap)
    return field.message.pointer(isJsonObject(value) ? value : null);
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

const boolValue = wrapper('BoolValue', false);
const int32Value = wrapper('Int32Value', intOf('int32', 0));

function wrapper(name: string, zero: Value): ReturnType<typeof structType<{ readonly value: Value }>> {
  return structType({
    name: `wrapperspb.${name}`,
    fields: { Value: ({ value }) => value },
    methods: { GetValue: (raw) => raw?.value ?? zero },
  });
}

const duration = structType<{ readonly text: string }>({
  name: 'durationpb.Duration',
  fields: {
    Seconds: ({ text }) => intOf('int64', Math.trunc(Number.parseFloat(text))),
    Nanos: ({ text }) => intOf('int32', Math.round((Number.parseFloat(text) % 1) * 1e9)),
  },
  methods: { String: (raw) => raw?.text ?? '' },
});
