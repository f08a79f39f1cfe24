import { costSize } from './size.ts';
import { type Equality, type Failure, Special } from './values.ts';

/** A value or none. */
export class Optional extends Special {
  readonly typeName = 'optional_type';
  /** Undefined if there is none. */
  readonly value: unknown;

  constructor(value: unknown) {
    super();
    this.value = value;
  }

  override get costSize(): number {
    return this.value === undefined ? 1 : costSize(this.value);
  }

  override equals(other: unknown, equal: Equality): boolean | Failure {
    if (!(other instanceof Optional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

export const NONE = new Optional(undefined);
