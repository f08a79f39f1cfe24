import { durationToString } from '../../cel/library/duration.ts';
import { timestampToString } from '../../cel/library/timestamp.ts';
import { CelMap } from '../../cel/values/cel-map.ts';
import { ObjectValue } from '../../cel/values/object-value.ts';
import { Optional } from '../../cel/values/optional.ts';
import { Duration, Timestamp } from '../../cel/values/time-values.ts';
import { Double, Special, typeNameOf, Uint } from '../../cel/values/values.ts';
import type { Json } from '../../json/json.ts';
import { setMember } from '../../json/member.ts';

/** The value of a `JSONPatch{…}` as JSON, or why it is not. The API server panics on a list of objects (kubernetes#142181). */
export type JsonValue = { readonly json: Json } | { readonly error: string } | { readonly panic: true };

export function jsonValue(value: unknown): JsonValue {
  try {
    return { json: toJson(value) };
  } catch (error) {
    if (error instanceof Panic) return { panic: true };
    if (!(error instanceof NotJson)) throw error;
    return {
      error: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`,
    };
  }
}

class Panic extends Error {}

class NotJson extends Error {
  constructor(typeName: string) {
    super(`type conversion error from '${typeName}' to '*structpb.Value'`);
  }
}

function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value))
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(BigInt(value)) : value;
    throw new NotJson('double');
  }
  if (typeof value === 'bigint') return safeOrText(value);
  if (value instanceof Uint) return safeOrText(value.value);
  if (value instanceof Double) return value.value;
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value);
  if (value instanceof ObjectValue) return objectFrom(value.fields);
  if (Array.isArray(value)) {
    if (value.some((item) => item instanceof ObjectValue)) throw new Panic();
    return value.map(toJson);
  }
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof Timestamp) return timestampToString(value.time);
  if (value instanceof Duration) return durationToString(value.nanos);
  if (value instanceof CelMap) throw new NotJson('map');
  if (value instanceof Special || typeof value !== 'object') throw new NotJson(shortName(typeNameOf(value)));
  return objectFrom(Object.entries(value));
}

function objectFrom(entries: Iterable<readonly [string, unknown]>): Json {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) setMember(object, key, nestedJson(value));
  return object;
}

/** Below an object, lists of objects are fine. */
function nestedJson(value: unknown): Json {
  return Array.isArray(value) ? value.map(nestedJson) : toJson(value);
}

/** Beyond 2^53 an int is written as text. */
function safeOrText(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** `kubernetes.Quantity` → `Quantity`. */
function shortName(typeName: string): string {
  return typeName.slice(typeName.lastIndexOf('.') + 1);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
