import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { compareQuantities, isQuantity } from '../kube/quantity.ts';
import { fieldShape, itemShape, type Shape } from '../kube/shape.ts';

/**
 * Whether what is found says all that is wanted. Never equality: the API server fills in defaults, drops empty values
 * and rewrites quantities, and none of that is a difference.
 */
export function covers(found: Json | undefined, wanted: Json, shape: Shape): boolean {
  if (found === wanted) return true;
  if (found === undefined || found === null) return saysNothing(wanted);
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

/** Inside a value that is taken whole, Go's `omitempty` drops what is empty. */
function saysNothing(wanted: Json): boolean {
  if (isJsonArray(wanted)) return wanted.length === 0;
  if (isJsonObject(wanted)) return Object.keys(wanted).length === 0;
  return wanted === null || wanted === '' || wanted === false || wanted === 0;
}

function sameQuantity(found: Json, wanted: Json): boolean {
  if (typeof found === 'boolean' || typeof wanted === 'boolean') return false;
  const [left, right] = [String(found), String(wanted)];
  return isQuantity(left) && isQuantity(right) && compareQuantities(left, right) === 0;
}
