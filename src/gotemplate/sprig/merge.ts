import { type AnyMap, isMap, mapGet, mapKeys } from '../containers.ts';
import type { Meter } from '../meter.ts';
import { isTrue } from '../truth.ts';
import { kindOf } from '../types.ts';
import type { Value } from '../values.ts';

/**
 * Merges a dictionary into another as sprig's merge does: maps recursively, and what the target has wins unless it
 * is empty (false, 0 and "" are). With `overwrite` the source wins, even with an empty value.
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
    const isSet = current !== undefined && (kindOf(current) === 'struct' || isTrue(current));
    if (value === null || value === undefined) {
      if (overwrite) target.set(key, null);
    } else if (isMap(value) && isMap(current)) {
      target.set(key, mergeMaps(current, value, overwrite, meter));
    } else if (overwrite || !isSet) {
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
