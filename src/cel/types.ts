/** A type as the checker sees it. Compare with `sameType`; two of them may be equal without being identical. */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
}

export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  /** Known by name only, and may be null: optionals, quantities, addresses. */
  | 'opaque'
  /** Has fields, which the environment declares. */
  | 'struct'
  /** A type variable, bound by unification. */
  | 'parameter'
  /** A protobuf wrapper: its value or null. */
  | 'wrapper';

export const DYN = plain('dyn');
export const ERROR = plain('error', '!error!');
export const NULL = plain('null', 'null_type');
export const BOOL = plain('bool');
export const INT = plain('int');
export const UINT = plain('uint');
export const DOUBLE = plain('double');
export const STRING = plain('string');
export const BYTES = plain('bytes');
export const TIMESTAMP = plain('timestamp', 'google.protobuf.Timestamp');
export const TYPE = plain('type');
export const DURATION = plain('duration', 'google.protobuf.Duration');

export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function optionalOf(value: Type): Type {
  return opaque(OPTIONAL, value);
}

export function typeOfType(type: Type): Type {
  return { kind: 'type', name: 'type', parameters: [type] };
}

export function opaque(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters };
}

export function struct(name: string): Type {
  return { kind: 'struct', name, parameters: [] };
}

export function parameter(name: string): Type {
  return { kind: 'parameter', name, parameters: [] };
}

export function wrapperOf(type: Type): Type {
  return { kind: 'wrapper', name: 'wrapper', parameters: [type] };
}

/** The type inside an optional; undefined for other types. */
export function unwrapOptional(type: Type): Type | undefined {
  return type.kind === 'opaque' && type.name === OPTIONAL ? type.parameters[0] : undefined;
}

export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) => sameType(parameter, b.parameters[i] ?? ERROR));
}

/** The spelling inside messages of the checker. */
export function formatType(type: Type): string {
  if (type.kind === 'null') return 'null';
  if (type.kind === 'timestamp' || type.kind === 'duration') return type.kind;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** The spelling of a result type: null, timestamps and durations have their full names. */
export function formatResultType(type: Type): string {
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatResultType).join(', ')})`;
}

function plain(kind: TypeKind, name: string = kind): Type {
  return { kind, name, parameters: [] };
}

const OPTIONAL = 'optional_type';
