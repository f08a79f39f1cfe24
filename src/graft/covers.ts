import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { isQuantity, isSameResource } from '../kube/quantity.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';

/**
 * Whether `found` already satisfies `wanted`. Not equality: the API server fills in defaults, drops empty values and
 * rewrites quantities, and none of that is a difference.
 */
export function covers(found: Json | undefined, wanted: Json, shape: Shape): boolean {
  if (found === wanted) return true;
  if (found === undefined || found === null) return isZero(wanted);
  if (isJsonArray(wanted)) {
    if (!isJsonArray(found) || found.length !== wanted.length) return false;
    const item = itemShape(shape);
    return wanted.every((want, index) => covers(found[index], want, item));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(found)) return false;
    for (const key in wanted) {
      if (!covers(member(found, key), wanted[key] as Json, fieldShape(shape, key))) return false;
    }
    return true;
  }
  return shape.type === 'quantity' && sameQuantity(found, wanted);
}

/** Whether a missing field means the same as this value, since the API server drops the value when it encodes the object. */
export function isImplied(value: Json | undefined, shape: Shape): boolean {
  if (value === undefined || value === null) return true;
  switch (shape.type) {
    case 'omitted':
      return value === shape.zero;
    case 'map':
      return isEmptyObject(value);
    case 'list':
    case 'set':
      return isEmptyArray(value);
    case 'whole':
      return isImplied(value, shape.inner);
    default:
      return false;
  }
}

export function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Whether a value may be missing where it is only compared: Go's `omitempty` drops the zero values of most fields. More than
 * `isImplied`, which decides what is written: shapes do not know which fields keep a zero value.
 */
export function isZero(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return value === '' || value === false || value === 0 || isEmptyObject(value) || isEmptyArray(value);
}

function isEmptyArray(value: Json): boolean {
  return isJsonArray(value) && value.length === 0;
}

function sameQuantity(found: Json, wanted: Json): boolean {
  if (typeof found === 'boolean' || typeof wanted === 'boolean') return false;
  const [left, right] = [String(found), String(wanted)];
  return isQuantity(left) && isQuantity(right) && isSameResource(left, right);
}
