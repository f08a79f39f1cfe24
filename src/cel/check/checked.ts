import type { FunctionDeclaration, Overload } from '../declarations.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types.ts';

/** What the checker found about the parts of an expression. */
export interface Checked {
  readonly types: ReadonlyMap<Expression, Type>;
  readonly calls: ReadonlyMap<Expression, ResolvedCall>;
  /** What names and dotted names refer to. */
  readonly references: ReadonlyMap<Expression, Reference>;
}

export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  /** The overloads that fit; several if types are not known. */
  readonly overloads: readonly Overload[];
  /** Whether the target of the call is only the first part of the function's name. */
  readonly qualified: boolean;
}

export type Reference = { readonly variable: string } | { readonly typeName: string };
