import { ObjectValue } from '../../cel/values/object-value.ts';
import { Optional } from '../../cel/values/optional.ts';
import { Special } from '../../cel/values/values.ts';
import { spendWork } from '../../cel/work.ts';

/** The error of an `Object.a.b{…}` whose name is not the path at which it stands; undefined if all names fit. */
export function typeNameError(value: unknown, expected = 'Object'): string | undefined {
  spendWork(VALUE_WORK);
  if (value instanceof Optional) return typeNameError(value.value, expected);
  if (Array.isArray(value)) return first(value.map((item) => typeNameError(item, expected)));
  if (value instanceof ObjectValue) {
    if (value.typeName !== expected) {
      return `type mismatch: unexpected type name "${value.typeName}", expected "${expected}", which matches field name path from root Object type`;
    }
    return first([...value.fields].map(([name, field]) => typeNameError(field, `${expected}.${name}`)));
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof Special ||
    value instanceof Uint8Array
  ) {
    return undefined;
  }
  return first(Object.entries(value).map(([name, field]) => typeNameError(field, `${expected}.${name}`)));
}

/** A value that appears several times is checked as often. */
const VALUE_WORK = 3;

function first(errors: readonly (string | undefined)[]): string | undefined {
  return errors.find((error) => error !== undefined);
}
