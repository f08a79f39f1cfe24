import { Buffer } from 'node:buffer';
import { durationToString } from '../../src/cel/library/duration.ts';
import { timestampToString } from '../../src/cel/library/timestamp.ts';
import { entriesOf, isConstructedMap, isMap } from '../../src/cel/values/maps.ts';
import { JsonPatchValue, ObjectValue } from '../../src/cel/values/object-value.ts';
import { Optional } from '../../src/cel/values/optional.ts';
import { Duration, Timestamp } from '../../src/cel/values/time-values.ts';
import { Double, Special, TypeValue, typeNameOf, Uint } from '../../src/cel/values/values.ts';

/** A value in the notation of the cases, which names the types that JSON does not have. */
export function tagValue(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return { int: tagInteger(value) };
  if (typeof value === 'number') {
    return typeNameOf(value) === 'int' ? { int: tagInteger(BigInt(value)) } : { double: tagDouble(value) };
  }
  if (Array.isArray(value)) return value.map(tagValue);
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (isMap(value)) {
    const entries = [...entriesOf(value)].map(([key, entry]) => [tagValue(key), tagValue(entry)] as const);
    return { map: entries.toSorted(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
  }
  return value instanceof Special ? tagSpecial(value) : value;
}

function tagSpecial(value: Special): unknown {
  if (value instanceof Uint) return { uint: tagInteger(value.value) };
  if (value instanceof Double) return { double: tagDouble(value.value) };
  if (value instanceof TypeValue) return { type: value.name };
  if (value instanceof Optional)
    return value.value === undefined ? { none: true } : { optional: tagValue(value.value) };
  if (value instanceof Timestamp) return { timestamp: timestampToString({ ...value.time, offset: 0 }) };
  if (value instanceof Duration) return { duration: durationToString(value.nanos) };
  if (value instanceof ObjectValue) return { object: value.typeName, fields: plainFields(value) };
  if (value instanceof JsonPatchValue) {
    const { op, path, from, value: patched } = value;
    return {
      jsonPatch: {
        op,
        path,
        ...(from !== '' && { from }),
        ...(patched !== undefined && { value: tagValue(patched) }),
      },
    };
  }
  const tag = LIBRARY_TAGS.get(value.typeName);
  return tag === undefined ? { opaque: value.typeName } : { [tag]: String(value) };
}

const LIBRARY_TAGS: ReadonlyMap<string, string> = new Map([
  ['kubernetes.Quantity', 'quantity'],
  ['net.IP', 'ip'],
  ['net.CIDR', 'cidr'],
  ['kubernetes.URL', 'url'],
  ['kubernetes.Semver', 'semver'],
  ['kubernetes.NamedFormat', 'format'],
]);

/** Fields of constructed objects are plain JSON, except for doubles. */
function plainFields(value: ObjectValue): unknown {
  return Object.fromEntries(Array.from(value.fields, ([name, field]) => [name, plain(field)]));
}

function plain(value: unknown): unknown {
  if (value === null) return { $native: 'structpb.NullValue' };
  if (value instanceof ObjectValue) return plainFields(value);
  if (value instanceof Optional) return value.value === undefined ? null : plain(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return { $native: 'time.Time' };
  if (value instanceof Duration) return { $native: 'time.Duration' };
  if (Array.isArray(value)) return value.map((item) => (isConstructedMap(item) ? GO_MAP : plain(item)));
  if (isMap(value))
    return Object.fromEntries(Array.from(entriesOf(value), ([key, entry]) => [String(key), plain(entry)]));
  if (typeof value === 'number' && typeNameOf(value) === 'int') return value;
  return tagValue(value);
}

/** A map of an expression inside a list is not converted. */
const GO_MAP = { $native: 'map[ref.Val]ref.Val' };

function tagInteger(value: bigint): number | string {
  return value >= -SAFE && value <= SAFE ? Number(value) : String(value);
}

const SAFE = 1n << 53n;

function tagDouble(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}
