import {
  type Basic,
  GoMap,
  Int,
  type IntKind,
  type Methods,
  Named,
  NO_METHODS,
  Slice,
  Struct,
  type StructType,
  type Value,
} from './values.ts';

/** A Go int. JavaScript's numbers are float64, as in decoded JSON. */
export function int(value: number | bigint): Int {
  return intOf('int', value);
}

export function intOf(kind: IntKind, value: number | bigint): Int {
  return new Int(kind, BigInt(value));
}

/** map[string]string, where `index` of a missing key is "". `null` is the nil map. */
export function stringMap(entries: Readonly<Record<string, string>> | null | undefined): GoMap {
  return new GoMap('string', entries ?? null);
}

export function typedMap(
  elem: string,
  entries: Readonly<Record<string, Value>> | null,
  methods?: GoMap['methods'],
): GoMap {
  return new GoMap(elem, entries, methods);
}

export function typedSlice(elem: string, items: readonly Value[] | null): Slice {
  return new Slice(elem, items);
}

/** A named basic type such as an enum: `named('mesh.Mode', intOf('int32', 1), { String: () => 'TPROXY' })`. */
export function named(goType: string, value: Basic, methods: Methods<Basic> = {}): Named {
  return new Named(goType, basicKind(value), value, methods);
}

/**
 * Makes constructors for a Go struct type. A field is computed from the raw value when a template first reads it, so
 * nothing is copied up front. `pointer(null)` is a typed nil, whose methods can still be called.
 */
export function structType<T>(type: {
  name: string;
  fields: Readonly<Record<string, (raw: T) => Value>>;
  methods?: Methods<T | null>;
  json?: (raw: T) => Value;
}): { of: (raw: T) => Struct; pointer: (raw: T | null) => Struct } {
  const full = { methods: NO_METHODS, ...type } as StructType<unknown>;
  return {
    of: (raw) => new Struct('struct', full, raw),
    pointer: (raw) => new Struct('ptr', full, raw),
  };
}

/** A one-off struct value with fixed fields. */
export function struct(name: string, fields: Readonly<Record<string, Value>>): Struct {
  const readers: Record<string, (raw: unknown) => Value> = {};
  for (const key of Object.keys(fields)) readers[key] = () => fields[key];
  return new Struct('struct', { name, fields: readers, methods: NO_METHODS }, fields);
}

/** Decoded JSON or YAML as template data. Only changes the TypeScript type. */
export function json(value: unknown): Value {
  return value as Value;
}

function basicKind(value: Basic) {
  if (value instanceof Int) return value.kind;
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'float64' : 'bool';
}
