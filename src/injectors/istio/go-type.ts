import { structType, typedMap, typedSlice } from '../../gotemplate/host-values.ts';
import type { Struct, Value } from '../../gotemplate/values.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member } from '../../json/member.ts';
import { canonicalQuantity, isQuantity } from '../../kube/quantity.ts';
import { fieldWords, goNameOf, type PlainKind, typedValue } from './typed-value.ts';

/** A struct of Kubernetes' Go types over raw JSON: for templates under Go's names, as JSON in the order of Go's fields. */
export interface GoType {
  readonly name: string;
  readonly fields: readonly GoField[];
  readonly byJsonName: ReadonlyMap<string, GoField>;
}

export interface GoField {
  readonly goName: string;
  readonly jsonName: string;
  readonly kind: PlainKind | 'pointer' | 'quantity' | 'quantities';
  readonly always: boolean;
  /** Of a struct or of a list's items. */
  readonly type?: GoType;
  readonly shape?: 'struct' | 'pointer' | 'list';
}

/** `name:string! ports:[]Port` in Go's order, `!` is written even when empty; a Go name that is not the JSON name's follows a slash. */
export function goType(name: string, fields: string, types: Readonly<Record<string, GoType>> = {}): GoType {
  const read = fieldWords(fields).map((word) => readField(word, types));
  return { name, fields: read, byJsonName: new Map(read.map((field) => [field.jsonName, field])) };
}

function readField(
  [names, written]: readonly [string, string],
  types: Readonly<Record<string, GoType>>,
): GoField {
  const [jsonName = '', goName = goNameOf(jsonName)] = names.split('/');
  const always = written.endsWith('!');
  const kind = always ? written.slice(0, -1) : written;
  const [, prefix = '', base = ''] = /^(\[\]|\*)?(.*)$/.exec(kind) ?? [];
  const type = Object.hasOwn(types, base) ? types[base] : undefined;
  if (type !== undefined) {
    const shape = prefix === '[]' ? 'list' : prefix === '*' ? 'pointer' : 'struct';
    return { goName, jsonName, kind: 'any', always, type, shape };
  }
  return { goName, jsonName, kind: (prefix === '*' ? 'pointer' : kind) as GoField['kind'], always };
}

/** A raw value and where it stands, so that what templates read of it can be told afterwards. */
export interface Watched {
  readonly json: JsonObject;
  readonly path: Path;
  readonly reads: Reads | undefined;
}

export type Path = readonly (string | number)[];

/** What was read: a value as it is, or only how many items a list has and whether an object is there. */
export type Reads = (path: Path, how: 'whole' | 'outline') => void;

const constructors = new WeakMap<GoType, ReturnType<typeof structType<Watched>>>();

function constructorOf(type: GoType): ReturnType<typeof structType<Watched>> {
  const known = constructors.get(type);
  if (known !== undefined) return known;
  const fields = type.fields.map(
    (field) => [field.goName, (raw: Watched) => fieldValue(raw, field)] as const,
  );
  const made = structType<Watched>({
    name: type.name,
    fields: Object.fromEntries(fields),
    json: (raw) => orderedStruct(goJson(wholeOf(raw), type)),
  });
  constructors.set(type, made);
  typesOfStructs.set(made.of({ json: {}, path: [], reads: undefined }).type, type);
  return made;
}

const typesOfStructs = new WeakMap<object, GoType>();

/** The JSON text of a struct that was made here; undefined for any other. */
export function structText(value: Struct): string | undefined {
  const type = typesOfStructs.get(value.type);
  return type === undefined || value.raw === null
    ? undefined
    : goJsonText(goJson(wholeOf(value.raw as Watched), type));
}

/** All of a raw value, which counts as read then. */
export function wholeOf({ json, path, reads }: Watched): JsonObject {
  reads?.(path, 'whole');
  return json;
}

/** The raw value as a template sees it. */
export function goStruct(raw: Watched, type: GoType): Struct {
  return constructorOf(type).of(raw);
}

function fieldValue(raw: Watched, field: GoField): Value {
  const value = member(raw.json, field.jsonName) ?? undefined;
  const path = [...raw.path, field.jsonName];
  raw.reads?.(path, field.type === undefined ? 'whole' : 'outline');
  return field.type === undefined
    ? plainValue(value, field)
    : structValue(value, field, field.type, { ...raw, path });
}

function structValue(value: Json | undefined, field: GoField, type: GoType, { path, reads }: Watched): Value {
  const made = constructorOf(type);
  const watched = (json: Json | undefined, at: Path): Watched => ({
    json: isJsonObject(json) ? json : {},
    path: at,
    reads,
  });
  if (field.shape === 'pointer') return made.pointer(isJsonObject(value) ? watched(value, path) : null);
  if (field.shape === 'struct') return made.of(watched(value, path));
  const items = isJsonArray(value) ? value : undefined;
  return typedSlice(type.name, items?.map((item, at) => made.of(watched(item, [...path, at]))) ?? null);
}

function plainValue(value: Json | undefined, { kind }: GoField): Value {
  switch (kind) {
    case 'quantities':
      return typedMap('resource.Quantity', isJsonObject(value) ? (value as Record<string, Value>) : null);
    case 'pointer':
    case 'quantity':
      return typedValue(value, typeof value === 'number' ? 'int64' : 'any');
    default:
      return typedValue(value, kind);
  }
}

/** As Go would write it: fields in their order, empty ones left out. What Go's types do not know yet comes last. */
export function goJson(raw: JsonObject, type: GoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const field of type.fields) {
    const value = member(raw, field.jsonName) ?? undefined;
    const written = value === undefined ? undefined : writtenValue(value, field);
    if (written !== undefined && !(isZero(written, field) && !field.always)) result[field.jsonName] = written;
    else if (field.always) result[field.jsonName] = zeroOf(field);
  }
  for (const key of Object.keys(raw)) {
    if (!type.byJsonName.has(key) && (raw[key] ?? null) !== null) result[key] = raw[key] as Json;
  }
  return result;
}

function writtenValue(value: Json, field: GoField): Json {
  const { type } = field;
  if (type !== undefined) {
    if (isJsonArray(value)) return value.map((item) => (isJsonObject(item) ? goJson(item, type) : item));
    return isJsonObject(value) ? goJson(value, type) : value;
  }
  if (field.kind === 'quantity') return quantity(value);
  if (isJsonObject(value) && (field.kind === 'stringMap' || field.kind === 'quantities')) {
    const write = (item: Json) => (field.kind === 'quantities' ? quantity(item) : item);
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, write(value[key] as Json)]),
    );
  }
  return value;
}

function quantity(value: Json): Json {
  const text = String(value);
  return isQuantity(text) ? canonicalQuantity(text) : value;
}

function isZero(value: Json, field: GoField): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value))
    return field.shape !== 'pointer' && field.kind !== 'any' && Object.keys(value).length === 0;
  if (field.kind === 'pointer') return false;
  return value === '' || value === false || value === 0;
}

function zeroOf(field: GoField): Json {
  if (field.type !== undefined) return field.shape === 'list' ? null : {};
  if (field.kind === 'pointer' || field.kind === 'quantity') return field.kind === 'pointer' ? null : '0';
  return field.kind === 'int32' || field.kind === 'int64' ? 0 : field.kind === 'bool' ? false : '';
}

/** Plain objects are maps to a template, with sorted keys; a struct keeps the order. */
function orderedStruct(value: Json): Value {
  if (isJsonArray(value)) return value.map(orderedStruct);
  if (!isJsonObject(value)) return value;
  const fields = Object.keys(value).map((key) => [key, () => orderedStruct(value[key] as Json)] as const);
  return structType<JsonObject>({ name: '', fields: Object.fromEntries(fields) }).of(value);
}

/** Go's json.Marshal of plain values: `<`, `>`, `&` and the two line separators escaped. */
export function goJsonText(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
