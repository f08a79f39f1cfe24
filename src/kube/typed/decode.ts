import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, setMember } from '../../json/member.ts';
import { canonicalQuantity, isQuantity } from '../quantity.ts';
import { goTypeName } from './go-type-name.ts';
import type { StructType, TypedField, TypedValue } from './schema.ts';

/** A value after decoding into Go's types and encoding again, or the error of Go's decoder. */
export type Decoded =
  | { readonly value: JsonObject; readonly unknown: readonly string[] }
  | { readonly error: string };

/**
 * An object as Go reads and writes it: unknown fields are dropped and listed, quantities are canonical, empty values are omitted or
 * written as the field's type demands. No defaults.
 */
export function decodeTyped(object: JsonObject, type: StructType): Decoded {
  const decoder: Decoder = { unknown: [] };
  try {
    return { value: decodeStruct(object, type, { path: '', shown: '', decoder }), unknown: decoder.unknown };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}

class DecodeError extends Error {}

interface Decoder {
  readonly unknown: string[];
}

interface Place {
  /** As Go's decoder prints it: without indices. */
  readonly path: string;
  /** With indices. */
  readonly shown: string;
  readonly decoder: Decoder;
  /** The struct that contains the field. */
  readonly struct?: string;
}

function decodeStruct(object: JsonObject, type: StructType, place: Place): JsonObject {
  const next: Record<string, Json> = {};
  const fields = type.fields();
  for (const key of Object.keys(object)) {
    const field = fields.get(key);
    const value = object[key] as Json;
    if (field === undefined) {
      if (type.open) setMember(next, key, value);
      else place.decoder.unknown.push(joined(place.shown, key));
      continue;
    }
    const inside = {
      path: joined(place.path, key),
      shown: joined(place.shown, key),
      decoder: place.decoder,
      struct: type.name,
    };
    const decoded = value === null ? undefined : decodeValue(value, field.type, inside);
    if (decoded !== undefined && (field.written || !isOmitted(decoded, field))) setMember(next, key, decoded);
  }
  for (const [key, field] of fields) {
    if (field.written && member(next, key) === undefined) setMember(next, key, zero(field, place));
  }
  return next;
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
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

function decodeValue(value: Json, type: TypedValue, place: Place): Json {
  switch (type.type) {
    case 'struct':
      return isJsonObject(value) ? decodeStruct(value, type, place) : mismatch(value, type, place);
    case 'list':
      if (!isJsonArray(value)) return mismatch(value, type, place);
      return value.map((item, index) =>
        decodeItem(item, type.item, { ...place, shown: `${place.shown}[${index}]` }),
      );
    case 'map':
      return isJsonObject(value) ? decodeMap(value, type.values, place) : mismatch(value, type, place);
    case 'quantity':
      return decodeQuantity(value);
    case 'bytes':
      return decodeBytes(value, place);
    default:
      return isScalar(value, type.type) ? value : mismatch(value, type, place);
  }
}

function decodeItem(value: Json, type: TypedValue, place: Place): Json {
  if (value !== null) return decodeValue(value, type, place);
  return zero({ type, pointer: false, written: true }, place);
}

function decodeMap(object: JsonObject, values: TypedValue, place: Place): JsonObject {
  const next: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    setMember(
      next,
      key,
      decodeItem(object[key] as Json, values, { ...place, shown: joined(place.shown, key) }),
    );
  }
  return next;
}

function isScalar(
  value: Json,
  type: Exclude<TypedValue['type'], 'struct' | 'list' | 'map' | 'quantity' | 'bytes'>,
): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'object':
      return isJsonObject(value);
    case 'string':
    case 'time':
    case 'microTime':
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
  throw new DecodeError(`json: cannot unmarshal ${shown} into Go ${where} of type ${type}`);
}

const JSON_NAMES: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  boolean: 'bool',
};
