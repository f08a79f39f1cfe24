import type { Json } from '../json/json.ts';

/** How a place of an object merges and compares. Shapes of Kubernetes' kinds are generated: `generated/shapes.ts`. */
export type Shape =
  | { readonly type: 'any' }
  /** A string or boolean that Go omits if it is empty: absent means the same as `''` or `false`. */
  | { readonly type: 'omitted'; readonly zero: '' | false }
  /** Compared by value: the API server writes `1000m` as `1`. */
  | { readonly type: 'quantity' }
  /** Set as a whole or not at all; `inner` is for comparing. */
  | { readonly type: 'whole'; readonly inner: Shape }
  | { readonly type: 'map'; readonly values: Shape }
  | StructShape
  | ListShape
  /** A list without keys: an item is present if another one covers it. */
  | { readonly type: 'set'; readonly item: Shape };

export interface StructShape {
  readonly type: 'struct';
  readonly fields: ReadonlyMap<string, Shape>;
  /** Fields of which only one may be set. */
  readonly union?: ReadonlySet<string>;
  /** The meaning of an item without any field of the union, such as `value: ''` for an env entry. */
  readonly unionDefault?: { readonly field: string; readonly value: Json };
}

export interface ListShape {
  readonly type: 'list';
  readonly keys: readonly [string, ...string[]];
  readonly keyDefaults: { readonly [key: string]: Json };
  readonly item: Shape;
}

/** Plain JSON: maps merge deeply, lists are set as a whole. */
export const ANY: Shape = { type: 'any' };
export const STRING: Shape = { type: 'omitted', zero: '' };
export const OMITTED_FALSE: Shape = { type: 'omitted', zero: false };
export const QUANTITY: Shape = { type: 'quantity' };

export function struct(
  fields: { readonly [field: string]: Shape },
  extra: { union?: readonly string[]; unionDefault?: { field: string; value: Json } } = {},
): StructShape {
  return {
    type: 'struct',
    fields: new Map(Object.entries(fields)),
    ...(extra.union && { union: new Set(extra.union) }),
    ...(extra.unionDefault && { unionDefault: extra.unionDefault }),
  };
}

export function list(
  keys: readonly [string, ...string[]],
  item: Shape,
  keyDefaults: { readonly [key: string]: Json } = {},
): ListShape {
  return { type: 'list', keys, keyDefaults, item };
}

export function set(item: Shape): Shape {
  return { type: 'set', item };
}

export function map(values: Shape): Shape {
  return { type: 'map', values };
}

export function whole(inner: Shape): Shape {
  return { type: 'whole', inner };
}

/** The shape of one member of an object; unknown fields merge as plain JSON. */
export function fieldShape(shape: Shape, key: string): Shape {
  switch (shape.type) {
    case 'struct':
      return shape.fields.get(key) ?? ANY;
    case 'map':
      return shape.values;
    case 'whole':
      return fieldShape(shape.inner, key);
    default:
      return ANY;
  }
}

export function itemShape(shape: Shape): Shape {
  switch (shape.type) {
    case 'list':
    case 'set':
      return shape.item;
    case 'whole':
      return itemShape(shape.inner);
    default:
      return ANY;
  }
}
