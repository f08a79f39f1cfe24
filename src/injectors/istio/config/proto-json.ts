import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import { protoDuration } from './go-duration.ts';
import { isWrapper, jsonNameOf, type ProtoField, type ProtoType } from './proto.ts';

/**
 * The message with JSON names, without nulls, with durations in protobuf's notation. Unknown fields are dropped, and of several
 * members of a oneof the last one counts, as in Istio. Values of the wrong type are kept, see `protoProblems`.
 */
export function protoJson(raw: JsonObject, type: ProtoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(raw)) {
    const value = raw[key] as Json;
    const field = type.fields.get(jsonNameOf(key));
    // Of two spellings, the one in camel case counts.
    const isRepeated = field !== undefined && field.jsonName !== key && Object.hasOwn(raw, field.jsonName);
    if (field === undefined || value === null || isRepeated) continue;
    result[field.jsonName] = fieldJson(value, field);
  }
  return withoutRivals(result, type);
}

function withoutRivals(message: Record<string, Json>, type: ProtoType): JsonObject {
  const chosen = new Map<string, string>();
  for (const { jsonName, oneof } of type.fields.values()) {
    if (oneof === undefined || !Object.hasOwn(message, jsonName)) continue;
    const rival = chosen.get(oneof);
    if (rival !== undefined) delete message[rival];
    chosen.set(oneof, jsonName);
  }
  return message;
}

function fieldJson(value: Json, field: ProtoField): Json {
  const read = (item: Json) => itemJson(item, field);
  if (field.kind === 'strings') return isJsonArray(value) ? value.map((item) => item ?? '') : value;
  if (field.kind === 'stringMap') return isJsonObject(value) ? mapSorted(value, (item) => item ?? '') : value;
  if (field.form === 'list') return isJsonArray(value) ? value.map(read) : value;
  if (field.form === 'map') return isJsonObject(value) ? mapSorted(value, read) : value;
  return read(value);
}

function itemJson(value: Json, { kind, message, enum: type }: ProtoField): Json {
  if (message !== undefined) {
    if (value === null) return {};
    return isJsonObject(value) ? protoJson(value, message) : value;
  }
  if (kind === 'duration') return typeof value === 'string' ? (protoDuration(value) ?? value) : value;
  // Protobuf's JSON also has enums as numbers, and numbers in quotes.
  if (type !== undefined) {
    if (typeof value !== 'number') return value;
    return [...type.numbers].find(([, number]) => number === value)?.[0] ?? value;
  }
  const isQuoted = isNumeric(kind) && typeof value === 'string' && value.trim() !== '';
  return isQuoted && Number.isFinite(Number(value)) ? Number(value) : value;
}

function isNumeric(kind: ProtoField['kind']): boolean {
  return /^(u?int|double|float)/i.test(kind);
}

/** Protobuf's canonical JSON: the order of the .proto file, zero values omitted, maps sorted, int64 in quotes. */
export function canonicalProto(raw: JsonObject, type: ProtoType): JsonObject {
  const result: Record<string, Json> = {};
  for (const field of type.fields.values()) {
    const value = member(raw, field.jsonName);
    if (value === undefined || value === null || isZero(value, field)) continue;
    result[field.jsonName] = canonicalField(value, field);
  }
  return result;
}

/** Wrappers, messages and members of a oneof have presence: only other fields are omitted if they are zero. */
export function isZero(value: Json, { oneof, form, kind, enum: type }: ProtoField): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (form === 'map' || kind === 'stringMap') return isJsonObject(value) && Object.keys(value).length === 0;
  if (oneof !== undefined || kind === 'message' || kind === 'duration' || kind === 'any' || isWrapper(kind))
    return false;
  if (type !== undefined) return value === type.zero;
  return value === '' || value === 0 || value === false;
}

function canonicalField(value: Json, field: ProtoField): Json {
  const write = (item: Json) => canonicalItem(item, field);
  if (isJsonArray(value)) return value.map(write);
  const isMap = field.form === 'map' || field.kind === 'stringMap';
  return isMap && isJsonObject(value) ? mapSorted(value, write) : write(value);
}

function canonicalItem(value: Json, { kind, message }: ProtoField): Json {
  if (message !== undefined) return isJsonObject(value) ? canonicalProto(value, message) : value;
  return /^u?int64/i.test(kind) ? String(value) : value;
}

export function mapSorted(value: JsonObject, change: (item: Json) => Json): JsonObject {
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, change(value[key] as Json)]));
}
