import { A, type FunctionDeclaration, overload } from '../declarations.ts';
import { BOOL, listOf } from '../types.ts';
import { contains } from '../values/contains.ts';
import { costSize } from '../values/size.ts';
import type { Failure } from '../values/values.ts';
import type { Library } from './merge-libraries.ts';

/** Lists as sets: duplicates do not matter. */
export const setLibrary: Library = [
  set('contains', 1, (a, b) => containsAll(a, b)),
  set('intersects', 1, (a, b) => a.some((item) => contains(b, item) === true)),
  set('equivalent', 2, (a, b) => {
    const forward = containsAll(a, b);
    return forward === true ? containsAll(b, a) : forward;
  }),
];

function set(
  name: string,
  factor: number,
  decide: (a: readonly unknown[], b: readonly unknown[]) => unknown,
): FunctionDeclaration {
  const call = (a: unknown, b: unknown) => Array.isArray(a) && Array.isArray(b) && decide(a, b);
  return {
    name: `sets.${name}`,
    overloads: [
      overload(`list_sets_${name}_list`, [listOf(A), listOf(A)], BOOL, call, ([a, b]) => {
        return 1 + costSize(a) * costSize(b) * factor;
      }),
    ],
  };
}

function containsAll(list: readonly unknown[], part: readonly unknown[]): boolean | Failure {
  for (const item of part) {
    const found = contains(list, item);
    if (found !== true) return found;
  }
  return true;
}
