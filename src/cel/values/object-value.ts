import type { StructType } from '../declarations.ts';
import { DYN, STRING, type Type } from '../types.ts';
import { type Equality, Failure, Special, typeNameOf } from './values.ts';

/** A partial object that an expression built: `Object{…}`, `Object.spec{…}`. */
export class ObjectValue extends Special {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, unknown>;

  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  override get isZero(): boolean {
    return this.fields.size === 0;
  }

  /** A field that is not set is null. */
  override find(key: unknown): unknown {
    return typeof key === 'string' ? (this.fields.get(key) ?? null) : undefined;
  }

  override has(key: unknown): boolean {
    return typeof key === 'string' && this.fields.has(key);
  }

  override equals(other: unknown, equal: Equality): boolean | Failure {
    if (!(other instanceof ObjectValue) || other.typeName !== this.typeName) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      if (!other.fields.has(name) || equal(value, other.fields.get(name)) !== true) return false;
    }
    return true;
  }
}

/** An operation of JSON Patch that an expression built: `JSONPatch{op: 'add', …}`. */
export class JsonPatchValue extends Special {
  readonly typeName = 'JSONPatch';
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** Undefined if none was given. */
  readonly value: unknown;

  constructor(fields: { op: string; path: string; from: string; value: unknown }) {
    super();
    this.op = fields.op;
    this.path = fields.path;
    this.from = fields.from;
    this.value = fields.value;
  }

  override find(key: unknown): unknown {
    if (key === 'value') return this.value ?? null;
    return key === 'op' || key === 'path' || key === 'from'
      ? this[key]
      : new Failure(`unsupported indexer: ${String(key)}`);
  }

  override has(key: unknown): boolean {
    return key === 'value' ? this.value !== undefined : this.find(key) !== '';
  }

  override equals(other: unknown, equal: Equality): boolean | Failure {
    if (!(other instanceof JsonPatchValue)) return false;
    if (other.op !== this.op || other.path !== this.path || other.from !== this.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

/** The types that mutations build. Any field name of an `Object` compiles; the caller checks the values. */
export function findMutationType(name: string): StructType | undefined {
  if (name === 'JSONPatch') return JSON_PATCH;
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { field: () => DYN, construct: (fields) => new ObjectValue(name, fields) };
}

/** cel-go finds every field of this type, but has no type for unknown ones. */
const UNSPECIFIED: Type = { kind: 'struct', name: '', parameters: [] };

const JSON_PATCH: StructType = {
  field: (name) => {
    if (name === 'value') return DYN;
    return name === 'op' || name === 'path' || name === 'from' ? STRING : UNSPECIFIED;
  },
  construct: (fields) => {
    const texts = { op: '', path: '', from: '' };
    for (const name of ['op', 'path', 'from'] as const) {
      const value = fields.get(name) ?? '';
      if (typeof value !== 'string') {
        return new Failure(`unexpected type ${typeNameOf(value)} for JSONPatchType '${name}' field`);
      }
      texts[name] = value;
    }
    return new JsonPatchValue({ ...texts, value: fields.get('value') });
  },
};
