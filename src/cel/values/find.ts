import { doubleToString } from '../library/conversions.ts';
import { ownMember, type PlainMap } from './maps.ts';
import {
  Failure,
  goTypeName,
  integerOf,
  isDouble,
  isInt,
  numberOf,
  Special,
  typeNameOf,
  Uint,
} from './values.ts';

/** The result of a selection: undefined if nothing is found, a failure if the value cannot be selected from. */
export function findField(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return new Failure("unsupported index type 'string' in list");
  if (value instanceof Special) return value.find(field);
  return value instanceof Uint8Array ? undefined : ownMember(value as PlainMap, field);
}

/** The result of an index, likewise. */
export function findIndex(value: unknown, index: unknown): unknown {
  if (!isQualifier(index)) return new Failure(`invalid qualifier type: ${nativeTypeName(index)}`);
  if (Array.isArray(value)) {
    const position = listIndex(index);
    return typeof position === 'number' ? value[position] : position;
  }
  if (value instanceof Special) return value.find(index);
  return typeof index === 'string' ? findField(value, index) : undefined;
}

/** The failure of a selection or index without result. */
export function notFound(value: unknown, key: unknown): Failure {
  return new Failure(`${Array.isArray(value) ? 'index out of bounds' : 'no such key'}: ${formatKey(key)}`);
}

export function isQualifier(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    isInt(value) ||
    isDouble(value) ||
    value instanceof Uint
  );
}

/** A position in a list. Negative and fractional ones do not occur in any. */
function listIndex(index: unknown): number | Failure {
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  const integer = integerOf(index);
  if (integer !== undefined) return Number(integer);
  if (isDouble(index)) return new Failure(`unsupported index value ${formatKey(index)} in list`);
  return new Failure(`unsupported index type '${typeNameOf(index)}' in list`);
}

function formatKey(key: unknown): string {
  if (isDouble(key)) return doubleToString(numberOf(key) ?? Number.NaN);
  return String(integerOf(key) ?? key);
}

/** Go's name for the type of a value that cannot be an index. */
function nativeTypeName(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof Uint8Array) return 'types.Bytes';
  if (!(value instanceof Special)) return 'map[string]interface {}';
  const name = goTypeName(value);
  return name.startsWith('types.') || name.startsWith('*')
    ? name
    : `cel.${name.slice(name.lastIndexOf('.') + 1)}`;
}
