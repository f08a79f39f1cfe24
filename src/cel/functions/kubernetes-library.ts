import { parsing, perLength } from '../call-work.ts';
import { method, overload } from '../declarations.ts';
import { escapeKey } from '../library/escape-key.ts';
import {
  addQuantities,
  compareQuantities,
  isIntegerQuantity,
  isQuantity,
  type Quantity,
  quantityFromInt,
  quantitySign,
  quantityToDouble,
  quantityToInt,
  subtractQuantities,
  toQuantity,
} from '../library/quantity.ts';
import { compareSemvers, isSemver, type Semver, semverNumber, toSemver } from '../library/semver.ts';
import { BOOL, DOUBLE, INT, STRING, struct } from '../types.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { QuantityValue, SemverValue } from '../values/library-values.ts';
import { double, int, integerOf } from '../values/values.ts';
import { traversal } from './cost.ts';
import type { Library } from './merge-libraries.ts';

const QUANTITY = struct('kubernetes.Quantity');
const SEMVER = struct('kubernetes.Semver');

/** Quantities and semantic versions. */
export const kubernetesLibrary: Library = [
  {
    name: 'quantity',
    cost: traversal,
    work: parsing(),
    overloads: [
      overload(
        'string_to_quantity',
        [STRING],
        QUANTITY,
        (text) => new QuantityValue(toQuantity(String(text))),
      ),
    ],
  },
  {
    name: 'isQuantity',
    cost: traversal,
    work: parsing(),
    overloads: [overload('is_quantity_string', [STRING], BOOL, (text) => isQuantity(String(text)))],
  },
  { name: 'sign', overloads: [overload('quantity_sign', [QUANTITY], INT, onQuantity(quantitySign))] },
  {
    name: 'isGreaterThan',
    work: computing,
    overloads: [
      method(
        'quantity_is_greater_than',
        [QUANTITY, QUANTITY],
        BOOL,
        onQuantities((a, b) => compareQuantities(a, b) > 0),
      ),
      method(
        'semver_is_greater_than',
        [SEMVER, SEMVER],
        BOOL,
        onSemvers((a, b) => compareSemvers(a, b) > 0),
      ),
    ],
  },
  {
    name: 'isLessThan',
    work: computing,
    overloads: [
      method(
        'quantity_is_less_than',
        [QUANTITY, QUANTITY],
        BOOL,
        onQuantities((a, b) => compareQuantities(a, b) < 0),
      ),
      method(
        'semver_is_less_than',
        [SEMVER, SEMVER],
        BOOL,
        onSemvers((a, b) => compareSemvers(a, b) < 0),
      ),
    ],
  },
  {
    name: 'compareTo',
    work: computing,
    overloads: [
      method('quantity_compare_to', [QUANTITY, QUANTITY], INT, onQuantities(compareQuantities)),
      method('semver_compare_to', [SEMVER, SEMVER], INT, onSemvers(compareSemvers)),
    ],
  },
  {
    name: 'asApproximateFloat',
    work: computing,
    overloads: [
      method(
        'quantity_get_float',
        [QUANTITY],
        DOUBLE,
        onQuantity((quantity) => double(quantityToDouble(quantity))),
      ),
    ],
  },
  {
    name: 'asInteger',
    work: computing,
    overloads: [
      method(
        'quantity_get_int',
        [QUANTITY],
        INT,
        onQuantity((quantity) => int(quantityToInt(quantity))),
      ),
    ],
  },
  {
    name: 'isInteger',
    overloads: [method('quantity_is_integer', [QUANTITY], BOOL, onQuantity(isIntegerQuantity))],
  },
  {
    name: 'add',
    work: computing,
    overloads: [
      method(
        'quantity_add',
        [QUANTITY, QUANTITY],
        QUANTITY,
        onQuantities((a, b) => new QuantityValue(addQuantities(a, b))),
      ),
      method('quantity_add_int', [QUANTITY, INT], QUANTITY, (quantity, value) => {
        return onQuantity(
          (a) => new QuantityValue(addQuantities(a, quantityFromInt(integerOf(value) ?? 0n))),
        )(quantity);
      }),
    ],
  },
  {
    name: 'sub',
    work: computing,
    overloads: [
      method(
        'quantity_sub',
        [QUANTITY, QUANTITY],
        QUANTITY,
        onQuantities((a, b) => new QuantityValue(subtractQuantities(a, b))),
      ),
      method('quantity_sub_int', [QUANTITY, INT], QUANTITY, (quantity, value) => {
        return onQuantity(
          (a) => new QuantityValue(subtractQuantities(a, quantityFromInt(integerOf(value) ?? 0n))),
        )(quantity);
      }),
    ],
  },
  {
    name: 'semver',
    cost: traversal,
    work: parsing(7),
    overloads: [
      overload('string_to_semver', [STRING], SEMVER, (text) => new SemverValue(toSemver(String(text)))),
      overload('string_bool_to_semver', [STRING, BOOL], SEMVER, (text, normalize) => {
        return new SemverValue(toSemver(String(text), normalize === true));
      }),
    ],
  },
  {
    name: 'isSemver',
    cost: traversal,
    work: parsing(7),
    overloads: [
      overload('is_semver_string', [STRING], BOOL, (text) => isSemver(String(text))),
      overload('is_semver_string_bool', [STRING, BOOL], BOOL, (text, normalize) =>
        isSemver(String(text), normalize === true),
      ),
    ],
  },
  ...(['major', 'minor', 'patch'] as const).map((name) => ({
    name,
    overloads: [
      method(`semver_${name}`, [SEMVER], INT, (semver) => {
        return semver instanceof SemverValue ? int(semverNumber(semver.content, name)) : NO_OVERLOAD;
      }),
    ],
  })),
];

/** Computing with numbers of any size, or comparing the parts of versions. */
function computing(args: readonly unknown[]): number {
  let units = 0;
  for (const arg of args) {
    if (arg instanceof QuantityValue) units += arg.content.isSmall ? 20 : 400;
    if (arg instanceof SemverValue) units += 20 + 5 * arg.content.prerelease.length;
  }
  return units;
}

/** Functions that only mutations have. */
export const mutationLibrary: Library = [
  {
    name: 'jsonpatch.escapeKey',
    work: perLength(2),
    cost: traversal,
    overloads: [
      overload('string_jsonpatch_escapeKey_string', [STRING], STRING, (key) => escapeKey(String(key))),
    ],
  },
];

function onQuantity(run: (quantity: Quantity) => unknown) {
  return (value: unknown) => (value instanceof QuantityValue ? run(value.content) : NO_OVERLOAD);
}

function onQuantities(run: (a: Quantity, b: Quantity) => unknown) {
  return (a: unknown, b: unknown) =>
    a instanceof QuantityValue && b instanceof QuantityValue ? run(a.content, b.content) : NO_OVERLOAD;
}

function onSemvers(run: (a: Semver, b: Semver) => unknown) {
  return (a: unknown, b: unknown) =>
    a instanceof SemverValue && b instanceof SemverValue ? run(a.content, b.content) : NO_OVERLOAD;
}
