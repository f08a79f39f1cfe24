import { NO_WORK, perLength } from '../call-work.ts';
import { CelError } from '../cel-error.ts';
import { A, method, type Overload, overload } from '../declarations.ts';
import { flattenList, rangeList, sliceList } from '../library/lists.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types.ts';
import { add, NO_OVERLOAD, unsupported } from '../values/arithmetic.ts';
import { compare } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { entriesOf, isMap } from '../values/maps.ts';
import { costSize } from '../values/size.ts';
import { Duration } from '../values/time-values.ts';
import { double, Failure, goTypeName, isInt, numberOf, typeNameOf, Uint } from '../values/values.ts';
import { spendWork } from '../work.ts';
import type { Library } from './merge-libraries.ts';

const COMPARABLE: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** Kubernetes' own functions of lists, and those of cel-go's extension. */
export const listLibrary: Library = [
  {
    name: 'isSorted',
    cost: traversalCost,
    overloads: COMPARABLE.map((type) =>
      method(`list_${type.name}_is_sorted_bool`, [listOf(type)], BOOL, isSorted),
    ),
  },
  {
    name: 'sum',
    cost: traversalCost,
    overloads: [
      sumOf(INT, 0),
      sumOf(UINT, new Uint(0n)),
      sumOf(DOUBLE, double(0)),
      sumOf(DURATION, new Duration(0n)),
    ],
  },
  { name: 'max', cost: traversalCost, overloads: extreme('max', -1) },
  { name: 'min', cost: traversalCost, overloads: extreme('min', 1) },
  {
    name: 'indexOf',
    cost: traversalCost,
    overloads: [
      method('list_a_index_of_int', [listOf(A), A], INT, (list, item) => indexIn(items(list), item)),
    ],
  },
  {
    name: 'lastIndexOf',
    cost: traversalCost,
    overloads: [
      method('list_a_last_index_of_int', [listOf(A), A], INT, (list, item) => {
        spendWork(items(list).length);
        return items(list).findLastIndex((candidate) => equal(candidate, item) === true);
      }),
    ],
  },
  {
    name: 'slice',
    work: perLength(0.5),
    overloads: [method('list_slice', [listOf(A), INT, INT], listOf(A), slice, slicedCost)],
  },
  {
    name: 'flatten',
    work: NO_WORK,
    unguarded: true,
    overloads: [
      method('list_flatten', [listOf(listOf(A))], listOf(A), flatten, ([list]) =>
        allocation(1, costSize(list)),
      ),
      method('list_flatten_int', [listOf(DYN), INT], listOf(DYN), flatten, ([list, depth]) => {
        return allocation(numberOf(depth) ?? 0, costSize(list));
      }),
    ],
  },
  {
    name: 'sort',
    call: (list) => (Array.isArray(list) ? sortBy(list, list) : unsupported('sort', list)),
    overloads: COMPARABLE.map((type) =>
      method(`list_${type.name}_sort`, [listOf(type)], listOf(type), undefined, ([list]) =>
        selfComparison(list),
      ),
    ),
  },
  {
    name: '@sortByAssociatedKeys',
    call: (list, keys) => {
      if (!Array.isArray(list)) return unsupported('@sortByAssociatedKeys', list);
      return sortBy(list, items(keys));
    },
    overloads: COMPARABLE.map((type) =>
      method(
        `list_${type.name}_sortByAssociatedKeys`,
        [listOf(A), listOf(type)],
        listOf(A),
        undefined,
        ([, keys]) => {
          return selfComparison(keys);
        },
      ),
    ),
  },
  {
    name: 'lists.range',
    work: ([size]) => 2 * Math.max(numberOf(size) ?? 0, 0),
    overloads: [
      overload('lists_range', [INT], listOf(INT), range, ([size]) =>
        allocation(1, Math.max(numberOf(size) ?? 0, 0)),
      ),
    ],
  },
  {
    name: 'reverse',
    work: perLength(0.5),
    overloads: [
      method(
        'list_reverse',
        [listOf(A)],
        listOf(A),
        (list) => items(list).toReversed(),
        ([list]) => allocation(1, Array.isArray(list) ? list.length : 1),
      ),
    ],
  },
  {
    name: 'distinct',
    overloads: [
      method(
        'list_distinct',
        [listOf(A)],
        listOf(A),
        (list) => distinct(items(list)),
        ([list]) => selfComparison(list),
      ),
    ],
  },
];

function items(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** The scalars in a value, and a tenth of its texts. */
function traversalCost([value]: readonly unknown[]): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(value.length / 10);
  let cost = 0;
  if (Array.isArray(value)) {
    spendWork(value.length);
    for (const item of value) cost += traversalCost([item]);
  } else if (isMap(value))
    for (const [key, item] of entriesOf(value)) cost += traversalCost([key]) + traversalCost([item]);
  else cost = 1;
  return cost;
}

/** A call that makes a list. */
function allocation(factor: number, size: number): number {
  return Math.floor(size * factor) + 11;
}

/** Comparing every element of a list with every other one. cel-go panics if an operand is not a list. */
function selfComparison(list: unknown): number {
  if (!Array.isArray(list)) {
    const name = list instanceof Failure ? '*types.Err' : goTypeName(list);
    throw new CelError(
      `internal error: interface conversion: ${name} is not traits.Lister: missing method Add`,
    );
  }
  const first: unknown = list[0];
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return allocation(isText ? 2.1 : 2, costSize(list) ** 2);
}

function isSorted(list: unknown): unknown {
  const values = items(list);
  for (let i = 0; i < values.length; i++) {
    const order = compare(values[Math.max(i - 1, 0)], values[i], '');
    if (order instanceof Failure && !isComparable(values[i])) return NO_OVERLOAD;
    if (typeof order === 'number' && order > 0) return false;
  }
  return true;
}

function isComparable(value: unknown): boolean {
  const name = typeNameOf(value);
  return COMPARABLE.some((type) => type.name === name);
}

function sumOf(type: Type, zero: unknown): Overload {
  return method(`list_${type.name}_sum_${type.name}`, [listOf(type)], type, (list) => {
    let sum = zero;
    for (const value of items(list)) {
      sum = add(sum, value);
      if (sum instanceof Failure) return sum;
    }
    return sum;
  });
}

/** Keeps the first of equal elements. */
function extreme(name: string, worse: number): Overload[] {
  const find = (list: unknown) => {
    let best: unknown;
    for (const value of items(list)) {
      if (!isComparable(value)) return NO_OVERLOAD;
      if (best === undefined) best = value;
      const order = compare(best, value, '');
      if (typeof order === 'number' && Math.sign(order) === worse) best = value;
    }
    return best === undefined ? new Failure(`${name} called on empty list`) : best;
  };
  return COMPARABLE.map((type) =>
    method(`list_${type.name}_${name}_${type.name}`, [listOf(type)], type, find),
  );
}

function indexIn(list: readonly unknown[], item: unknown): number {
  spendWork(list.length);
  return list.findIndex((candidate) => equal(candidate, item) === true);
}

function slicedCost([list, start, end]: readonly unknown[]): number {
  const [from = -1, to = -1] = [numberOf(start), numberOf(end)];
  const isValid = from >= 0 && from <= to && to <= items(list).length;
  return allocation(1, isValid ? to - from : 1);
}

function slice(list: unknown, start: unknown, end: unknown): unknown {
  return isInt(start) && isInt(end) ? sliceList(items(list), start, end) : NO_OVERLOAD;
}

function flatten(list: unknown, ...depths: readonly unknown[]): unknown {
  const [depth = 1] = depths;
  if (Array.isArray(list) && isInt(depth)) {
    spendFlattening(list, depth);
    return flattenList(list, depth);
  }
  return new Failure(
    `no such overload: ${isMap(list) ? 'map(dyn, dyn)' : typeNameOf(list)}.flatten(${depths.map(typeNameOf).join(', ')})`,
  );
}

/** The number of elements in the result, which nested lists do not limit. */
function spendFlattening(list: readonly unknown[], depth: number | bigint): void {
  spendWork(6 * list.length);
  if (depth <= 0) return;
  for (const item of list) if (Array.isArray(item)) spendFlattening(item, Number(depth) - 1);
}

function range(size: unknown): unknown {
  return isInt(size) ? rangeList(size) : NO_OVERLOAD;
}

/** Sorts a list by keys, which must be of one comparable type. Stable. */
function sortBy(list: readonly unknown[], keys: readonly unknown[]): unknown {
  if (list.length === 0) return list;
  if (!isComparable(keys[0])) return new Failure('list elements must be comparable');
  const typeName = typeNameOf(keys[0]);
  if (list.length > 1 && keys.some((key) => typeNameOf(key) !== typeName)) {
    return new Failure('list elements must have the same type');
  }
  spendWork(5 * list.length * Math.log2(list.length + 1));
  const order = list.map((_, i) => i);
  order.sort((a, b) => {
    const difference = compare(keys[a], keys[b], '');
    return typeof difference === 'number' ? difference : 0;
  });
  return order.map((i) => list[i]);
}

function distinct(list: readonly unknown[]): unknown[] {
  const unique: unknown[] = [];
  for (const value of list) if (indexIn(unique, value) < 0) unique.push(value);
  return unique;
}
