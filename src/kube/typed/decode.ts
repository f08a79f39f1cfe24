import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, setMember } from '../../json/member.ts';
import { canonicalQuantity, isQuantity } from '../quantity.ts';
import { goTypeName } from './go-type-name.ts';
import type { StructType, TypedField, TypedValue } from './schema.ts';

/** A value after decoding into Go's types and encoding again, or the error of Go's decoder. */
export type Decoded = { readonly value: JsonObject; readonly unknown: readonly string[] } | Undecodable;

export interface Undecodable {
  readonly error: string;
  /** Go may write such a value all the same, so that a webhook may receive it from the API server. */
  readonly isWritable: boolean;
}

/**
 * An object as Go reads and writes it: unknown fields are dropped and listed, quantities are canonical, empty values are omitted or
 * written as the field's type requires. No defaults. Unchanged parts are shared. Parts that `known`, the result of an earlier
 * decoding, has at the same place are skipped.
 */
export function decodeTyped(object: JsonObject, type: StructType, known?: JsonObject): Decoded {
  const place = new Place();
  try {
    return { value: decodeStruct(object, type, place, known), unknown: place.unknown };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message, isWritable: error.isWritable };
    throw error;
  }
}

class DecodeError extends Error {
  readonly isWritable: boolean;

  constructor(message: string, isWritable = false) {
    super(message);
    this.isWritable = isWritable;
  }
}

/** Where the decoder is: keys and indices from the root, and the struct around. */
class Place {
  readonly unknown: string[] = [];
  readonly parts: (string | number)[] = [];
  struct: string | undefined;

  /** As Go's decoder prints it: without indices. */
  get path(): string {
    return this.parts.filter((part) => typeof part === 'string').join('.');
  }

  unknownField(key: string): void {
    const shown = [...this.parts, key].map((part) => (typeof part === 'string' ? `.${part}` : `[${part}]`));
    this.unknown.push(shown.join('').slice(1));
  }
}

function decodeStruct(object: JsonObject, type: StructType, place: Place, known?: Json): JsonObject {
  const decodedBefore = isJsonObject(known) ? known : undefined;
  const fields = type.fields();
  let next: Record<string, Json> | undefined;
  for (const key in object) {
    const value = object[key] as Json;
    const before = decodedBefore?.[key];
    if (before !== undefined && before === value) continue;
    const decoded = decodeField(key, value, fields.get(key), type, place, before);
    if (decoded === value) continue;
    next ??= { ...object };
    if (decoded === undefined) delete next[key];
    else setMember(next, key, decoded);
  }
  for (const [key, field] of type.written()) {
    if (member(next ?? object, key) !== undefined) continue;
    next ??= { ...object };
    setMember(next, key, zero(field, place));
  }
  return next ?? object;
}

/** Undefined if the field is not written. */
function decodeField(
  key: string,
  value: Json,
  field: TypedField | undefined,
  type: StructType,
  place: Place,
  known: Json | undefined,
): Json | undefined {
  if (field === undefined) {
    if (type.open) return value;
    place.unknownField(key);
    return undefined;
  }
  if (value === null) return undefined;
  // Most values are strings and need no place for errors.
  if (typeof value === 'string' && field.type.type === 'string')
    return value !== '' || field.written || field.pointer ? value : undefined;
  const outer = place.struct;
  place.struct = type.name;
  place.parts.push(key);
  const decoded = decodeValue(value, field.type, place, known);
  place.parts.pop();
  place.struct = outer;
  return field.written || !isOmitted(decoded, field) ? decoded : undefined;
}

/** `omitempty`: pointers, and structs that are values, are written. */
function isOmitted(value: Json, { type, pointer }: TypedField): boolean {
  if (pointer || type.type === 'struct') return false;
  if (type.type === 'list') return isJsonArray(value) && value.length === 0;
  if (type.type === 'map') return isJsonObject(value) && Object.keys(value).length === 0;
  if (type.type === 'quantity' || type.type === 'any') return false;
  return value === '' || value === 0 || value === false;
}

function zero({ type, pointer }: TypedField, place: Place): Json {
  if (pointer) return null;
  switch (type.type) {
    case 'struct':
      return decodeStruct({}, type, place);
    case 'string':
    case 'bytes':
      return '';
    case 'int32':
    case 'int64':
    case 'number':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function decodeValue(value: Json, type: TypedValue, place: Place, known?: Json): Json {
  switch (type.type) {
    case 'struct':
      return isJsonObject(value) ? decodeStruct(value, type, place, known) : mismatch(value, type, place);
    case 'list':
      return isJsonArray(value) ? decodeList(value, type.item, place, known) : mismatch(value, type, place);
    case 'map':
      return isJsonObject(value) ? decodeMap(value, type.values, place) : mismatch(value, type, place);
    case 'quantity':
      return decodeQuantity(value);
    case 'bytes':
      return decodeBytes(value, place);
    case 'time':
    case 'microTime':
      return typeof value === 'string' ? decodeTime(value) : mismatch(value, type, place);
    default:
      return isScalar(value, type.type) ? value : mismatch(value, type, place);
  }
}

function decodeList(list: readonly Json[], item: TypedValue, place: Place, known?: Json): readonly Json[] {
  let next: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const value = list[index] as Json;
    if (isJsonArray(known) && known[index] === value) continue;
    place.parts.push(index);
    const decoded = decodeItem(value, item, place);
    place.parts.pop();
    if (decoded === value) continue;
    next ??= [...list];
    next[index] = decoded;
  }
  return next ?? list;
}

/** A null stands for the zero value. */
function decodeItem(value: Json, type: TypedValue, place: Place): Json {
  if (value !== null) return decodeValue(value, type, place);
  return zero({ type, pointer: false, written: true }, place);
}

function decodeMap(object: JsonObject, values: TypedValue, place: Place): JsonObject {
  let next: Record<string, Json> | undefined;
  for (const key in object) {
    const value = object[key] as Json;
    // Go's decoder does not print the keys of maps, and no key of a map is unknown.
    const decoded = decodeItem(value, values, place);
    if (decoded === value) continue;
    next ??= { ...object };
    setMember(next, key, decoded);
  }
  return next ?? object;
}

function isScalar(
  value: Json,
  type: Exclude<TypedValue['type'], 'struct' | 'list' | 'map' | 'quantity' | 'bytes' | 'time' | 'microTime'>,
): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'object':
      return isJsonObject(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'int32':
    case 'int64':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'intOrString':
      return typeof value === 'string' || Number.isInteger(value);
  }
}

export const QUANTITY_GRAMMAR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function decodeQuantity(value: Json): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && isQuantity(text)) return canonicalQuantity(text);
  const isSuffixed = typeof text === 'string' && /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/.test(text);
  throw new DecodeError(isSuffixed ? "unable to parse quantity's suffix" : QUANTITY_GRAMMAR);
}

/** In UTC, years before 0 and after 9999 are possible: `9999-12-31T23:59:59-01:00` is written so. */
const WRITTEN_TIME = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function decodeTime(text: string): string {
  if (RFC_3339.test(text)) return text;
  const shown = JSON.stringify(text);
  throw new DecodeError(
    `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`,
    WRITTEN_TIME.test(text),
  );
}

/** Base64, or a list of numbers. */
function decodeBytes(value: Json, place: Place): Json {
  if (isJsonArray(value)) {
    const wrong = value.find((item) => typeof item !== 'number');
    if (wrong !== undefined) return failed(wrong, 'uint8', place);
    return value;
  }
  if (typeof value !== 'string') return failed(value, '[]uint8', place);
  const illegal = illegalBase64At(value);
  if (illegal !== undefined) throw new DecodeError(`illegal base64 data at input byte ${illegal}`);
  return value;
}

/** The position that Go's decoder reports; undefined if the text is valid. */
function illegalBase64At(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const digits = /^[A-Za-z0-9+/\r\n]*/.exec(text)?.[0].length ?? 0;
  const blanks = text.slice(0, digits).replace(/[^\r\n]/g, '').length;
  const padding = text.slice(digits).replace(/[\r\n]/g, '');
  const missing = (4 - ((digits - blanks) % 4)) % 4;
  if (missing !== 3 && padding === '='.repeat(missing)) return undefined;
  return padding === '' || padding.startsWith('=') ? digits - ((digits - blanks) % 4) : digits;
}

function mismatch(value: Json, type: TypedValue, place: Place): never {
  return failed(value, goTypeName(type), place);
}

function failed(value: Json, type: string, place: Place): never {
  const found = isJsonArray(value) ? 'array' : isJsonObject(value) ? 'object' : JSON_NAMES[typeof value];
  const shown = typeof value === 'number' && type.startsWith('int') ? `number ${value}` : found;
  const where = place.struct === undefined ? 'value' : `struct field ${place.struct}.${place.path}`;
  // Raw extensions, which have any type in Go, are objects in the schema.
  const isRaw = type === goTypeName({ type: 'object' });
  throw new DecodeError(`json: cannot unmarshal ${shown} into Go ${where} of type ${type}`, isRaw);
}

const JSON_NAMES: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  boolean: 'bool',
};
