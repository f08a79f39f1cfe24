import { textSize } from '../library/code-points.ts';
import { spendWork } from '../work.ts';
import { isMap, sizeOfMap } from './maps.ts';
import { Special } from './values.ts';

/** The number of code points, bytes, elements or entries; undefined for values without a size. */
export function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    spendWork(value.length / 2);
    return textSize(value);
  }
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? sizeOfMap(value) : undefined;
}

/** The size that costs are derived from: 1 for values without one. Strings count in UTF-16 units, which is fast. */
export function costSize(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Special ? value.costSize : (sizeOf(value) ?? 1);
}
