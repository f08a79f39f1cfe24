import { isMap, itemsOf, mapGet, mapHas, mapKeys, mapSize, structField } from './containers.ts';
import type { Meter } from './meter.ts';
import { isNil, typeOf, underlying } from './types.ts';
import { Int, Struct, type Value } from './values.ts';

/** reflect.DeepEqual: equal values of the same types at every level. */
export function deepEqual(a: Value, b: Value, meter: Meter): boolean {
  meter.spend(1);
  if (a === b || (isNil(a) && isNil(b) && typeOf(a) === typeOf(b))) return !Number.isNaN(a);
  if (typeOf(a) !== typeOf(b) || isNil(a) !== isNil(b)) return false;
  const [x, y] = [underlying(a), underlying(b)];
  if (x instanceof Int && y instanceof Int) return x.value === y.value;
  const [left, right] = [itemsOf(a), itemsOf(b)];
  if (left !== undefined && right !== undefined) {
    return left.length === right.length && left.every((item, i) => deepEqual(item, right[i], meter));
  }
  if (isMap(a) && isMap(b)) {
    if (mapSize(a) !== mapSize(b)) return false;
    return mapKeys(a).every((key) => mapHas(b, key) && deepEqual(mapGet(a, key), mapGet(b, key), meter));
  }
  if (a instanceof Struct && b instanceof Struct) {
    if (a.raw === b.raw) return true;
    return Object.keys(a.type.fields).every((name) =>
      deepEqual(structField(a, name), structField(b, name), meter),
    );
  }
  return x === y;
}
