import { Boxed, GoMap, Int, type IntKind, type Kind, Named, Slice, Struct, type Value } from './values.ts';

export const ANY = 'interface {}';
export const ANY_MAP = 'map[string]interface {}';
export const ANY_SLICE = '[]interface {}';

/** The Go type of a value as printed by %T. */
export function typeOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return '<nil>';
  }
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return ANY_SLICE;
  return value instanceof Boxed ? value.goType : ANY_MAP;
}

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'invalid';
  }
  if (value === null) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  return value instanceof Boxed ? value.kind : 'map';
}

/** The value of a named type; other values are returned unchanged. */
export function underlying(value: Value): Value {
  return value instanceof Named ? value.value : value;
}

export function isNil(value: Value): boolean {
  if (value === null || value === undefined) return true;
  if (value instanceof GoMap) return value.entries === null;
  if (value instanceof Slice) return value.items === null;
  return value instanceof Struct && value.raw === null;
}

/** Whether nil is a value of the type. */
export function canBeNil(goType: string): boolean {
  return /^(interface|reflect\.Value$|map\[|\[\]|\*|func\()/.test(goType);
}

const INT_KINDS = /^u?int(8|16|32|64)?$/;

export function isIntKind(kind: string): kind is IntKind {
  return INT_KINDS.test(kind);
}

export function isUnsigned(kind: Kind): boolean {
  return kind.startsWith('uint');
}

/** The zero value of a Go type. */
export function zeroOf(goType: string): Value {
  if (goType === 'string') return '';
  if (goType === 'bool') return false;
  if (goType === 'float64') return 0;
  if (isIntKind(goType)) return new Int(goType, 0n);
  if (goType.startsWith('map[string]')) return new GoMap(goType.slice('map[string]'.length), null);
  if (goType.startsWith('[]')) return new Slice(goType.slice(2), null);
  return null;
}
