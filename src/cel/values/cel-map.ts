import { spendWork } from '../work.ts';
import { integerOf, isDouble, numberOf, Special } from './values.ts';

/** A map of which some keys are not strings. Equal numbers are the same key for lookups, whatever their types. */
export class CelMap extends Special {
  readonly typeName = 'map';
  private readonly entries = new Map<unknown, { readonly key: unknown; value: unknown }>();

  get size(): number {
    return this.entries.size;
  }

  override get costSize(): number {
    return this.size;
  }

  override find(key: unknown): unknown {
    return this.entries.get(hash(key))?.value;
  }

  set(key: unknown, value: unknown): void {
    const hashed = hash(key);
    const entry = this.entries.get(hashed);
    if (entry === undefined) this.entries.set(hashed, { key, value });
    else entry.value = value;
  }

  delete(key: unknown): void {
    this.entries.delete(hash(key));
  }

  *[Symbol.iterator](): Generator<readonly [unknown, unknown]> {
    spendWork(8 * this.size);
    for (const { key, value } of this.entries.values()) yield [key, value];
  }

  /** Maps of any representation are compared entry by entry: `equal` does not call this. */
  override equals(other: unknown): boolean {
    return other === this;
  }
}

/** Equal keys have equal hashes. Lists and other unusual keys are distinguished by identity, as in Go. */
function hash(key: unknown): unknown {
  if (typeof key === 'string') {
    spendWork(key.length / 5);
    return `s${key}`;
  }
  if (typeof key === 'number' && Number.isInteger(key)) return key === 0 ? 0 : key;
  if (key === null || typeof key !== 'object') return typeof key === 'bigint' ? hashInteger(key) : key;
  const integer = integerOf(key);
  if (integer !== undefined) return hashInteger(integer);
  return isDouble(key) ? numberOf(key) : key;
}

function hashInteger(value: bigint): unknown {
  const number = Number(value);
  return BigInt(number) === value ? number : value;
}
