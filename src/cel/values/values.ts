// The representation of CEL's values in JavaScript. Parsed JSON is used as it is.
//
//   null, bool, string   themselves
//   int                  a whole number within 2^53, else a bigint; unsafe whole numbers of JSON within int64 count too
//   double               a number with a fraction, NaN, infinity, a whole number beyond int64; else a Double
//   list                 an array
//   map                  a plain object if all keys are strings, else a CelMap
//   bytes                a Uint8Array
//   all others           instances of Special

/** A value that is not JSON. */
export abstract class Special {
  /** The name of its type. */
  abstract readonly typeName: string;

  /** Receives CEL's equality for its parts. */
  abstract equals(other: unknown, equal: Equality): boolean | Failure;

  /** The size that costs are derived from. */
  get costSize(): number {
    return 1;
  }

  /** Whether it is the empty value of its type. */
  get isZero(): boolean {
    return false;
  }

  /** The result of a selection or index; undefined if nothing is found. */
  find(_key: unknown): unknown {
    return undefined;
  }

  /** Whether something is set for `has()` and optional selections. */
  has(key: unknown): boolean {
    return this.find(key) !== undefined;
  }
}

export type Equality = (a: unknown, b: unknown) => boolean | Failure;

/** An error as the value of an expression: `&&`, `||` and some macros can still ignore it. */
export class Failure extends Special {
  readonly typeName = 'error';
  readonly message: string;

  constructor(message: string) {
    super();
    this.message = message;
  }

  override equals(): boolean {
    return false;
  }
}

/** A double that would look like an int. Made by `double` only. */
export class Double extends Special {
  readonly typeName = 'double';
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override equals(other: unknown): boolean {
    return numberOf(other) === this.value;
  }
}

export class Uint extends Special {
  readonly typeName = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  override equals(other: unknown): boolean {
    return numberOf(other) === Number(this.value) && integerOf(other) === this.value;
  }
}

/** The value of `int`, `type(x)`, …. */
export class TypeValue extends Special {
  readonly typeName = 'type';
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override equals(other: unknown): boolean {
    return other instanceof TypeValue && other.name === this.name;
  }
}

export function double(value: number): unknown {
  return looksLikeInt(value) ? new Double(value) : value;
}

/** An int as a value. It must be within int64. */
export function int(value: bigint): number | bigint {
  return value >= -SAFE && value <= SAFE ? Number(value) : value;
}

export function isInt64(value: bigint): boolean {
  return value >= -(1n << 63n) && value < 1n << 63n;
}

export function isUint64(value: bigint): boolean {
  return value >= 0n && value < 1n << 64n;
}

export function isInt(value: unknown): value is number | bigint {
  return typeof value === 'number' ? looksLikeInt(value) : typeof value === 'bigint';
}

export function isDouble(value: unknown): boolean {
  return typeof value === 'number' ? !looksLikeInt(value) : value instanceof Double;
}

/** Ints and uints exactly; doubles if they are whole. Undefined for everything else. */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (value instanceof Uint) return value.value;
  return value instanceof Double && Number.isInteger(value.value) ? BigInt(value.value) : undefined;
}

/** Any number as the nearest double. Undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double) return value.value;
  return value instanceof Uint ? Number(value.value) : undefined;
}

/** The name of a value's type. */
export function typeNameOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return looksLikeInt(value) ? 'int' : 'double';
    default:
      if (value === null) return 'null_type';
      if (Array.isArray(value)) return 'list';
      if (value instanceof Special) return value.typeName;
      return value instanceof Uint8Array ? 'bytes' : 'map';
  }
}

/** A value in a message. A list or map is only named: printing one may take far longer than making it, if its parts share theirs. */
export function messageText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (isDouble(value) || value instanceof Uint) return String(numberOf(value));
  return typeNameOf(value);
}

/** Names in Go of the types that appear in messages. */
export function goTypeName(value: unknown): string {
  const name = typeNameOf(value);
  if (name.includes('.') && !GO_TYPES.has(name)) return name;
  return GO_TYPES.get(name) ?? `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const GO_TYPES: ReadonlyMap<string, string> = new Map([
  ['null_type', 'types.Null'],
  ['google.protobuf.Timestamp', 'types.Timestamp'],
  ['google.protobuf.Duration', 'types.Duration'],
  ['optional_type', '*types.Optional'],
  ['list', '*types.baseList'],
  ['map', '*types.baseMap'],
  ['type', '*types.Type'],
  ['net.IP', 'cel.IP'],
  ['net.CIDR', 'cel.CIDR'],
  ['kubernetes.URL', 'cel.URL'],
  ['kubernetes.Quantity', 'cel.Quantity'],
  ['kubernetes.Semver', 'cel.Semver'],
  ['kubernetes.NamedFormat', 'cel.Format'],
]);

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const INT64_LIMIT = 2 ** 63;

function looksLikeInt(value: number): boolean {
  return Number.isInteger(value) && value >= -INT64_LIMIT && value < INT64_LIMIT;
}
