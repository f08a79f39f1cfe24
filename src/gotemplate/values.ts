/**
 * The values of a template.
 *
 * Decoded JSON and YAML need no wrapping: string, boolean, number (a float64), array ([]interface {}) and plain object
 * (a read-only map[string]interface {}). The classes below represent the other Go types.
 * `undefined` is "no value" (reflect's invalid value); `null` is a nil interface.
 * Both print the same, but a field of the first is "no value" and a field of the second is an error.
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
 * A value with a Go type. The classes hold data only.
 * Templates create many of them: `declare` avoids the cost of defining each field before the constructor sets it.
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

/** A value of a named basic type, such as an enum. It is printed by its String method, if any. */
export class Named extends Boxed {
  declare readonly value: Basic;
  declare readonly methods: Methods<Basic>;
  constructor(goType: string, kind: Kind, value: Basic, methods: Methods<Basic>) {
    super(kind, goType);
    this.value = value;
    this.methods = methods;
  }
}

/** A slice with elements other than interface {}, or a nil slice. */
export class Slice extends Boxed {
  declare readonly items: readonly Value[] | null;
  constructor(elem: string, items: readonly Value[] | null) {
    super('slice', `[]${elem}`);
    this.items = items;
  }
}

type Entries = Readonly<Record<string, Value>> | null;

/** A map with string keys and elements other than interface {}, or a nil map. A named type may have methods. */
export class GoMap extends Boxed {
  declare readonly elem: string;
  declare readonly entries: Entries;
  declare readonly methods: Methods<Entries>;
  constructor(elem: string, entries: Entries, methods: Methods<Entries> = NO_METHODS) {
    super('map', `map[string]${elem}`);
    this.elem = elem;
    this.entries = entries;
    this.methods = methods;
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
  /** In the order of declaration and printing. Each is read at most once per struct value. */
  readonly fields: Readonly<Record<string, (raw: T) => Value>>;
  readonly methods: Methods<T | null>;
  /** The value that toJson encodes; by default the fields under their Go names. */
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
