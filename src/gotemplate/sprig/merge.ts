import { type AnyMap, isMap, mapGet, mapKeys } from '../containers.ts';
import type { Meter } from '../meter.ts';
import type { Value } from '../values.ts';
import { isEmpty } from './cast.ts';

/**
 * Merges a dictionary into another, recursively. Values of the target win unless they are empty, as false, 0 and ""
 * are. With `overwrite` the source wins, even with an empty value.
 */
export function mergeInto(
  target: Map<string, Value>,
  source: AnyMap,
  overwrite: boolean,
  meter: Meter,
): void {
  for (const key of mapKeys(source)) {
    meter.spend(1);
    const value = mapGet(source, key);
    const current = target.get(key);
    if (value === null || value === undefined) {
      if (overwrite) target.set(key, null);
    } else if (isMap(value) && isMap(current)) {
      target.set(key, mergeMaps(current, value, overwrite, meter));
    } else if (overwrite || isEmpty(current)) {
      target.set(key, value);
    }
  }
}

function mergeMaps(current: AnyMap, value: AnyMap, overwrite: boolean, meter: Meter): Value {
  const target =
    current instanceof Map ? current : new Map(mapKeys(current).map((key) => [key, mapGet(current, key)]));
  mergeInto(target, value, overwrite, meter);
  return target;
}
