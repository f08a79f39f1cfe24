import { isTrue } from '../truth.ts';
import { kindOf } from '../types.ts';
import type { Value } from '../values.ts';

/** What sprig's `default` replaces. It differs from Go's truth only in that it has no opinion on functions. */
export function isEmpty(value: Value): boolean {
  return kindOf(value) !== 'struct' && !isTrue(value);
}
