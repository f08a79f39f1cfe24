import { spendWork } from '../work.ts';
import { NO_OVERLOAD } from './arithmetic.ts';
import { equal } from './equal.ts';
import { isMap, lookUp } from './maps.ts';
import { Failure } from './values.ts';

/** CEL's `in`: whether a list has an element, or a map has a key. */
export function contains(container: unknown, element: unknown): boolean | Failure {
  if (Array.isArray(container)) return listContains(container, element);
  return isMap(container) ? lookUp(container, element) !== undefined : NO_OVERLOAD;
}

/** An element that cannot be compared matters only if no other one is equal. */
function listContains(list: readonly unknown[], element: unknown): boolean | Failure {
  spendWork(list.length);
  let failure: Failure | undefined;
  for (const candidate of list) {
    const same = equal(element, candidate);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}
