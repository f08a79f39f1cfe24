import { spendWork } from '../work.ts';
import { CelMap } from './cel-map.ts';
import { entriesOf, isMap, isPlainMap, lookUp, type PlainMap, plainKeys, sizeOfMap } from './maps.ts';
import { Double, Failure, integerOf, isDouble, numberOf, Special, Uint } from './values.ts';

/** CEL's `==`: by value across numeric types, false for other mixes. Fails only on values that cannot be compared. */
export function equal(a: unknown, b: unknown): boolean | Failure {
  if (typeof a === 'string') return typeof b === 'string' && equalTexts(a, b);
  if (typeof a === 'boolean' || a === null) return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (isNumber(a)) return isNumber(b) && equalNumbers(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof CelMap || isPlainMap(a)) return isMap(b) && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  return a instanceof Special ? a.equals(b, equal) : false;
}

/** A comparison looks at the characters only if the lengths are equal. */
function equalTexts(a: string, b: string): boolean {
  if (a.length > LONG_TEXT && a.length === b.length) spendWork(a.length / 50);
  return a === b;
}

const LONG_TEXT = 500;

export function isNumber(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  return value instanceof Double || value instanceof Uint;
}

/** Two integers compare exactly. With a double, both are doubles, and the double must not lie beyond the integer's type. */
function equalNumbers(a: unknown, b: unknown): boolean {
  if (isDouble(a) || isDouble(b)) return numberOf(a) === numberOf(b);
  return integerOf(a) === integerOf(b);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean | Failure {
  if (a.length !== b.length) return false;
  spendWork(3 * a.length);
  for (let i = 0; i < a.length; i++) {
    const same = equal(a[i], b[i]);
    if (same !== true) return same instanceof Failure ? same : false;
  }
  return true;
}

function equalMaps(a: PlainMap | CelMap, b: PlainMap | CelMap): boolean | Failure {
  if (!(a instanceof CelMap) && !(b instanceof CelMap)) return equalPlainMaps(a, b);
  if (sizeOfMap(a) !== sizeOfMap(b)) return false;
  for (const [key, value] of entriesOf(a)) {
    const other = lookUp(b, key);
    if (other === undefined) return false;
    const same = equal(value, other);
    if (same !== true) return same instanceof Failure ? same : false;
  }
  return true;
}

function equalPlainMaps(a: PlainMap, b: PlainMap): boolean | Failure {
  const keys = plainKeys(a);
  if (keys.length !== plainKeys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    const same = equal(a[key], b[key]);
    if (same !== true) return same instanceof Failure ? same : false;
  }
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  spendWork(a.length / 10);
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
