import {
  canonicalQuantity,
  isJsonArray,
  isJsonObject,
  isQuantity,
  type Json,
  type JsonObject,
  member,
} from '../../../sdk/index.ts';
import { type GoField, goType, type StructName } from './go-type.ts';

/** A struct as Go marshals it: fields in Go's order, empty ones omitted. Fields that Go does not know come last. */
export function goJson(raw: JsonObject, name: StructName): JsonObject {
  const { fields } = goType(name);
  const result: Record<string, Json> = {};
  for (const field of fields.values()) {
    const value = member(raw, field.jsonName) ?? undefined;
    const written = value === undefined ? undefined : writtenValue(value, field);
    if (written !== undefined && (field.isAlwaysWritten || !isZero(written, field)))
      result[field.jsonName] = written;
    else if (field.isAlwaysWritten) result[field.jsonName] = zeroOf(field);
  }
  for (const key in raw) {
    if (!fields.has(key) && (raw[key] ?? null) !== null) result[key] = raw[key] as Json;
  }
  return result;
}

function writtenValue(value: Json, { kind, struct }: GoField): Json {
  if (struct !== undefined) {
    const write = (item: Json) => (isJsonObject(item) ? goJson(item, struct.name) : item);
    return isJsonArray(value) ? value.map(write) : write(value);
  }
  if (kind === 'quantity') return quantity(value);
  if (isJsonObject(value) && (kind === 'stringMap' || kind === 'quantities')) {
    const keys = Object.keys(value).sort();
    const write = kind === 'quantities' ? quantity : (item: Json) => item;
    return Object.fromEntries(keys.map((key) => [key, write(value[key] as Json)]));
  }
  return value;
}

function quantity(value: Json): Json {
  const text = String(value);
  return isQuantity(text) ? canonicalQuantity(text) : value;
}

function isZero(value: Json, { kind }: GoField): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) {
    const isMap = kind === 'stringMap' || kind === 'quantities';
    return isMap && Object.keys(value).length === 0;
  }
  if (kind === 'pointer') return false;
  return value === '' || value === false || value === 0;
}

function zeroOf({ kind, struct }: GoField): Json {
  if (struct !== undefined) return struct.form === 'list' ? null : {};
  if (kind === 'pointer') return null;
  if (kind === 'quantity') return '0';
  return kind === 'int32' || kind === 'int64' ? 0 : kind === 'bool' ? false : '';
}

/** Go's json.Marshal of plain values, which escapes `<`, `>`, `&` and the two line separators. */
export function goJsonText(value: Json): string {
  const text = JSON.stringify(value);
  if (!/[<>&\u2028\u2029]/.test(text)) return text;
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
