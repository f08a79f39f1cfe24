import { CelMap } from '../../cel/values/cel-map.ts';
import { ObjectValue } from '../../cel/values/object-value.ts';
import { Optional } from '../../cel/values/optional.ts';
import { Double, Special, TypeValue, typeNameOf } from '../../cel/values/values.ts';
import { spendWork } from '../../cel/work.ts';
import type { Json } from '../../json/json.ts';
import { setMember } from '../../json/member.ts';

/** A value that an expression built and that no field of an object can hold: a quantity, bytes, the literal `null`. */
export class OddValue {
  readonly typeName: string;

  constructor(typeName: string) {
    this.typeName = typeName;
  }
}

/** JSON with odd values in it. Null removes. */
export type PatchValue = null | boolean | number | string | OddValue | readonly PatchValue[] | PatchObject;
export type PatchObject = { readonly [key: string]: PatchValue };

export function isPatchObject(value: PatchValue | undefined): value is PatchObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof OddValue);
}

export function isPatchList(value: PatchValue | undefined): value is readonly PatchValue[] {
  return Array.isArray(value);
}

/**
 * An expression's `Object{…}` as plain data. `isOriginal` recognizes maps that come from the request's objects: as items of lists,
 * they are objects to the API server, while maps that an expression wrote are not.
 */
export function patchValue(value: unknown, isOriginal: (map: object) => boolean): PatchValue {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  spendWork(VALUE_WORK);
  if (value === null) return new OddValue('null');
  if (value instanceof Double) return value.value;
  if (value instanceof Optional)
    return value.value === undefined ? null : patchValue(value.value, isOriginal);
  if (value instanceof ObjectValue) return objectFrom(value.fields, isOriginal);
  if (Array.isArray(value)) {
    return value.map((item) =>
      isWrittenMap(item, isOriginal) ? new OddValue('map') : patchValue(item, isOriginal),
    );
  }
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Special || value instanceof Uint8Array) return new OddValue(typeNameOf(value));
  if (typeof value !== 'object') return new OddValue(typeof value);
  return isOriginal(value) ? (value as Json as PatchValue) : objectFrom(Object.entries(value), isOriginal);
}

/** A value that appears several times is converted as often. */
const VALUE_WORK = 3;

function objectFrom(
  entries: Iterable<readonly [string, unknown]>,
  isOriginal: (map: object) => boolean,
): PatchObject {
  const object: Record<string, PatchValue> = {};
  for (const [key, value] of entries)
    setMember(object as Record<string, Json>, key, patchValue(value, isOriginal) as Json);
  return object;
}

function isWrittenMap(value: unknown, isOriginal: (map: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof CelMap) return true;
  return !(value instanceof Special) && !(value instanceof Uint8Array) && !isOriginal(value);
}

/** Tells whether a map is part of one of these values. They are searched at the first question. */
export function originalMaps(values: readonly Json[]): (map: object) => boolean {
  let found: Set<object> | undefined;
  return (map) => {
    if (found === undefined) {
      found = new Set();
      for (const value of values) collect(value, found);
    }
    return found.has(map);
  };
}

function collect(value: Json, found: Set<object>): void {
  if (typeof value !== 'object' || value === null) return;
  found.add(value);
  for (const child of Object.values(value)) collect(child, found);
}
