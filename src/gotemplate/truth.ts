import { mapSize } from './containers.ts';
import { underlying } from './types.ts';
import { Boxed, GoMap, Int, Slice, Struct, type Value } from './values.ts';

/** Whether a condition is true: the value is not the zero of its type, nil or empty. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value !== '';
    case 'boolean':
      return value;
    case 'number':
      // Also true for NaN, as in Go.
      return value !== 0;
    case 'undefined':
      return false;
  }
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!(value instanceof Boxed)) return mapSize(value as Map<string, Value>) > 0;
  const plain = underlying(value);
  if (plain instanceof Int) return plain.value !== 0n;
  if (plain instanceof GoMap) return mapSize(plain) > 0;
  if (plain instanceof Slice) return plain.items !== null && plain.items.length > 0;
  if (plain instanceof Struct) return plain.raw !== null;
  return plain instanceof Boxed || isTrue(plain);
}
