import {
  intOf,
  named,
  type Struct,
  structType,
  typedMap,
  typedSlice,
  type Value,
} from '../../../gotemplate/index.ts';
import {
  cacheByObject,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
} from '../../../sdk/index.ts';
import { type PlainKind, typedValue } from '../pod-types/typed-value.ts';
import { durationValue } from './duration-value.ts';
import { isWrapper, type ProtoField, type ProtoType, type WrapperKind } from './proto.ts';

/**
 * A pointer to a message as templates see it, by Go's names. For `null`, the nil pointer, the `Get*` methods return zero values.
 */
export function protoPointer(raw: JsonObject | null, type: ProtoType): Struct {
  return pointerTo(type)(raw);
}

/** The Go type, as error messages name it. */
export function goTypeName({ name }: ProtoType): string {
  return `meshconfig.${name.replaceAll('.', '_')}`;
}

/** One constructor for each message. */
const pointerTo = cacheByObject((type: ProtoType): ((raw: JsonObject | null) => Struct) => {
  const fields: Record<string, (raw: JsonObject) => Value> = {};
  const methods: Record<string, (raw: JsonObject | null) => Value> = {};
  for (const field of type.fields.values()) {
    const read = (raw: JsonObject) => fieldValue(member(raw, field.jsonName) ?? undefined, field);
    fields[field.goName] = read;
    methods[`Get${field.goName}`] = (raw) => read(raw ?? {});
  }
  return structType<JsonObject>({ name: goTypeName(type), fields, methods }).pointer;
});

function fieldValue(value: Json | undefined, field: ProtoField): Value {
  const { form } = field;
  if (form === 'single') return itemValue(value, field);
  const elem = field.message === undefined ? field.kind : `*${goTypeName(field.message)}`;
  if (form === 'list')
    return typedSlice(elem, isJsonArray(value) ? value.map((item) => itemValue(item, field)) : null);
  if (!isJsonObject(value)) return typedMap(elem, null);
  const entries = Object.keys(value).map((key) => [key, itemValue(value[key], field)] as const);
  return typedMap(elem, Object.fromEntries(entries));
}

function itemValue(value: Json | undefined, { kind, message, enum: type, goName }: ProtoField): Value {
  if (message !== undefined) return protoPointer(isJsonObject(value) ? value : null, message);
  if (type !== undefined) {
    const text = typeof value === 'string' ? value : type.zero;
    const number = typeof value === 'number' ? value : (type.numbers.get(text) ?? 0);
    const shown = typeof value === 'number' ? String(value) : text;
    return named(`meshconfig.${goName}`, intOf('int32', number), { String: () => shown });
  }
  if (kind === 'duration') return durationValue(typeof value === 'string' ? value : null);
  if (isWrapper(kind)) {
    const wrapper = wrappers[kind];
    return wrapper.type.pointer(
      value === undefined || value === null ? null : { value: wrapper.read(value) },
    );
  }
  if (kind === 'float') return typedValue(value, 'double');
  if (kind === 'uint64') return intOf('uint64', typeof value === 'number' ? Math.trunc(value) : 0);
  return typedValue(value, kind as PlainKind);
}

const wrappers = Object.fromEntries(
  (
    [
      ['BoolValue', 'bool'],
      ['Int32Value', 'int32'],
      ['Int64Value', 'int64'],
      ['UInt32Value', 'uint32'],
      ['UInt64Value', 'int64'],
      ['DoubleValue', 'double'],
      ['FloatValue', 'double'],
      ['StringValue', 'string'],
    ] as const
  ).map(([name, kind]) => [
    name,
    { type: wrapper(name, kind), read: (value: Json) => typedValue(value, kind) },
  ]),
) as Readonly<
  Record<WrapperKind, { readonly type: ReturnType<typeof wrapper>; readonly read: (value: Json) => Value }>
>;

function wrapper(name: string, kind: PlainKind) {
  return structType<{ readonly value: Value }>({
    name: `wrapperspb.${name}`,
    fields: { Value: ({ value }) => value },
    methods: { GetValue: (raw) => raw?.value ?? typedValue(undefined, kind) },
  });
}
