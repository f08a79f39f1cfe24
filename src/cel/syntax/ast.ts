import type { Type } from '../types.ts';

/** A parsed expression. Macros are separate nodes. `at` is an offset into the source. */
export type Expression =
  | Literal
  | Name
  | Select
  | Index
  | Call
  | Logic
  | List
  | MapLiteral
  | Struct
  | Fold
  | OptionalMap
  | Bind;

export interface Literal {
  readonly kind: 'literal';
  readonly at: number;
  readonly type: Type;
  readonly value: unknown;
}

export interface Name {
  readonly kind: 'name';
  readonly at: number;
  readonly name: string;
}

/** `a.b`, `a.?b`, and `has(a.b)`. */
export interface Select {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly mode: 'value' | 'optional' | 'presence';
}

/** `a[b]` and `a[?b]`. */
export interface Index {
  readonly kind: 'index';
  readonly at: number;
  readonly operand: Expression;
  readonly index: Expression;
  readonly optional: boolean;
}

/** Functions, methods and operators other than `&&`, `||` and indexing. */
export interface Call {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface Logic {
  readonly kind: 'logic';
  readonly at: number;
  readonly operator: '&&' | '||';
  readonly terms: readonly Expression[];
}

export interface List {
  readonly kind: 'list';
  readonly at: number;
  readonly elements: readonly { readonly value: Expression; readonly optional: boolean }[];
}

export interface MapLiteral {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly {
    readonly key: Expression;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

export interface Struct {
  readonly kind: 'struct';
  readonly at: number;
  readonly typeName: string;
  readonly fields: readonly {
    readonly at: number;
    readonly name: string;
    readonly value: Expression;
    readonly optional: boolean;
  }[];
}

/** Macros that walk a list or a map. */
export interface Fold {
  readonly kind: 'fold';
  readonly at: number;
  /** `list` appends the body, `map` inserts it under the first variable, `entries` inserts its entries. */
  readonly shape: 'all' | 'exists' | 'one' | 'list' | 'map' | 'entries';
  readonly range: Expression;
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly filter: Expression | undefined;
  readonly body: Expression;
}

/** `optMap` and `optFlatMap`. */
export interface OptionalMap {
  readonly kind: 'optionalMap';
  readonly at: number;
  readonly target: Expression;
  readonly variable: string;
  readonly body: Expression;
  readonly flat: boolean;
}

/** Evaluates the body with a hidden variable: the expansion of `sortBy`. */
export interface Bind {
  readonly kind: 'bind';
  readonly at: number;
  readonly variable: string;
  readonly value: Expression;
  readonly body: Expression;
}

/** The dotted name that an expression may be; undefined if it is something else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind !== 'select' || expression.mode !== 'value') return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
