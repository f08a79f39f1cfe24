import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import { mapSorted, type ProtoField, type ProtoType } from './proto.ts';

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
function isZero(value: Json, field: ProtoField): boolean {
  if (field.oneof !== undefined || field.message !== undefined) return false;
  if (field.kind === 'BoolValue' || field.kind === 'Int32Value') return false;
  if (field.enum !== undefined) return value === field.enum[0];
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return field.kind === 'stringMap' && Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function canonicalField(value: Json, { message, isMap, kind }: ProtoField): Json {
  if (kind === 'duration') return canonicalDuration(String(value));
  if (!isJsonObject(value)) return kind === 'int64' ? String(value) : value;
  if (message === undefined) return kind === 'stringMap' ? mapSorted(value, (item) => item) : value;
  const write = (item: Json) => (isJsonObject(item) ? canonicalProto(item, message) : item);
  return isMap ? mapSorted(value, write) : write(value);
}

/** Seconds with none, three, six or nine decimal places. */
function canonicalDuration(text: string): string {
  const [, whole = '', part = ''] = /^(-?\d+)\.(\d{1,9})s$/.exec(text) ?? [];
  if (whole === '') return text;
  const digits = part.padEnd(9, '0').replace(/(000){1,3}$/, '');
  return `${whole}${digits === '' ? '' : '.'}${digits}s`;
}
