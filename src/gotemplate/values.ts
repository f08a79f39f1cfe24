/**
 * How Go's typed values look to a template here.
 *
 * What JSON or YAML yields needs no wrapping: string, boolean, number (a float64), array ([]interface {}),
 * plain object (map[string]interface {}, only read). The classes below stand for what JSON cannot say.
 * `undefined` is "no value" (reflect's invalid value); `null` is a nil interface that really is there.
 * They print alike, but a field of the first is "no value" again while a field of the second is an error.
 */
export type Value =
  | undefined
  | null
  | boolean
  | string
  | number
  | readonly Value[]
  | { readonly [key: string]: Value }
  | Map<string, Value>
  | Boxed;

export type IntKind =
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64';

export type Kind =
  | IntKind
  | 'invalid'
  | 'bool'
  | 'float64'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'func';

/**
 * A value that knows its Go type. The classes carry data only; what to do with them is in functions.
 * Templates make many of them: `declare` keeps the compiler from defining each field before the constructor sets it.
 */
export abstract class Boxed {
  declare readonly kind: Kind;
  declare readonly goType: string;
  constructor(kind: Kind, goType: string) {
    this.kind = kind;
    this.goType = goType;
  }
}

export class Int extends Boxed {
  declare readonly value: bigint;
  constructor(kind: IntKind, value: bigint) {
    super(kind, kind);
    this.value = value;
  }
}

export type Basic = boolean | string | number | Int;

/** A named basic type, for instance an enum: it prints through its String method if it has one. */
export class Named extends Boxed {
  declare readonly value: Basic;
  declare readonly methods: Methods<Basic>;
  constructor(goType: string, kind: Kind, value: Basic, methods: Methods<Basic>) {
    super(kind, goType);
    this.value = value;
    this.methods = methods;
  }
}

/** A slice whose elements are not interface {}, or a nil slice. */
export class Slice extends Boxed {
  declare readonly items: readonly Value[] | null;
  constructor(elem: string, items: readonly Value[] | null) {
    super('slice', `[]${elem}`);
    this.items = items;
  }
}

/** A map with string keys whose elements are not interface {}, or a nil map. */
export class GoMap extends Boxed {
  declare readonly elem: string;
  declare readonly entries: Readonly<Record<string, Value>> | null;
  constructor(elem: string, entries: Readonly<Record<string, Value>> | null) {
    super('map', `map[string]${elem}`);
    this.elem = elem;
    this.entries = entries;
  }
}

export interface Method<T> {
  readonly signature: string;
  readonly call: (receiver: T, ...args: Value[]) => Value;
}

/** A bare function is a method without arguments. */
export type Methods<T> = Readonly<Record<string, Method<T> | ((receiver: T) => Value)>>;

export const NO_METHODS: Methods<unknown> = {};

export interface StructType<T> {
  readonly name: string;
  /** In declaration order, which is the order of printing. Read at most once per struct value. */
  readonly fields: Readonly<Record<string, (raw: T) => Value>>;
  readonly methods: Methods<T | null>;
  /** What toJson sees; without it the fields under their Go names. */
  readonly json?: (raw: T) => Value;
}

/** A struct or a pointer to one; `raw` is null for a nil pointer only. */
export class Struct extends Boxed {
  declare readonly type: StructType<unknown>;
  declare readonly raw: unknown;
  /** The fields read so far. */
  declare read: Map<string, Value> | undefined;
  constructor(kind: 'struct' | 'ptr', type: StructType<unknown>, raw: unknown) {
    super(kind, kind === 'ptr' ? `*${type.name}` : type.name);
    this.type = type;
    this.raw = raw;
    this.read = undefined;
  }
}
