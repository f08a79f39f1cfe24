import { compareStrings, hasSurrogate } from '../golang/utf8.ts';
import { kindOf } from './types.ts';
import { GoMap, Slice, type Struct, type Value } from './values.ts';

export type AnyMap = { readonly [key: string]: Value } | Map<string, Value> | GoMap;

export function isMap(value: Value): value is AnyMap {
  return kindOf(value) === 'map';
}

/** The elements of a slice; undefined if the value is not a slice. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Slice ? (value.items ?? []) : undefined;
}

export function mapHas(map: AnyMap, key: string): boolean {
  if (map instanceof Map) return map.has(key);
  if (map instanceof GoMap) return map.entries !== null && Object.hasOwn(map.entries, key);
  return Object.hasOwn(map, key);
}

/** The element of a key; undefined if the key is missing. Inherited properties are ignored. */
export function mapGet(map: AnyMap, key: string): Value {
  if (map instanceof Map) return map.get(key);
  const entries = map instanceof GoMap ? map.entries : map;
  if (entries === null || !Object.hasOwn(entries, key)) return undefined;
  // A property with the value undefined is a nil in a Go map.
  return entries[key] ?? null;
}

export function mapSize(map: AnyMap): number {
  return map instanceof Map ? map.size : mapKeys(map).length;
}

export function mapKeys(map: AnyMap): string[] {
  if (map instanceof Map) return [...map.keys()];
  if (map instanceof GoMap) return map.entries === null ? [] : Object.keys(map.entries);
  return Object.keys(map);
}

/** Go prints and ranges over maps in the order of their keys' bytes. */
export function sortedKeys(map: AnyMap): string[] {
  const keys = mapKeys(map);
  if (keys.length < 2) return keys;
  // Without surrogates it is the order of UTF-16, which needs no custom comparison.
  return keys.some(hasSurrogate) ? keys.sort(compareStrings) : keys.sort();
}

/** The value of a field, computed once. The caller has checked that the field exists. */
export function structField(struct: Struct, name: string): Value {
  struct.read ??= new Map();
  const known = struct.read.get(name);
  if (known !== undefined) return known;
  const value = struct.type.fields[name]?.(struct.raw) ?? null;
  struct.read.set(name, value);
  return value;
}

/** The Go type of the elements of a slice or map. */
export function elemType(container: Value): string {
  if (container instanceof GoMap) return container.elem;
  if (container instanceof Slice) return container.goType.slice(2);
  return 'interface {}';
}
