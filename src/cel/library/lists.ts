import { CelError } from '../cel-error.ts';
import { CostError } from '../cost-error.ts';

export function sliceList<T>(list: readonly T[], start: number | bigint, end: number | bigint): T[] {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) throw new CelError(`${call}, negative indexes not supported`);
  if (start > end) throw new CelError(`${call}, start index must be less than or equal to end index`);
  if (end > list.length) throw new CelError(`${call}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

/** Replaces lists by their elements, as many levels deep. */
export function flattenList(list: readonly unknown[], depth: number | bigint = 1): unknown[] {
  if (depth < 0) throw new CelError('level must be non-negative');
  return list.flat(Number(depth));
}

/** 0 to size − 1; empty if the size is negative. */
export function rangeList(size: number | bigint): number[] {
  if (size > MAX_RANGE) throw new CostError();
  return Array.from({ length: Math.max(Number(size), 0) }, (_, i) => i);
}

/** Each element costs a unit, and an expression has 1,000,000 of them. The list is built before its cost is counted. */
const MAX_RANGE = 1_000_000;
