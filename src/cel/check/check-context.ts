import type { Environment, Overload } from '../declarations.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types.ts';

/** The checker's interface for the rules of single kinds of expressions. */
export interface CheckContext {
  readonly environment: Environment;
  check(expression: Expression): Type;
  /** Reports an issue. Returns the error type, which fits everywhere. */
  report(at: number, text: string): Type;
  mismatch(at: number, expected: Type, found: Type): Type;
  undeclared(at: number, name: string): Type;
  /** A still unknown type. */
  fresh(): Type;
  resolve(type: Type): Type;
  isAssignable(type: Type, expected: Type): boolean;
  /** The common type of the elements of a literal. Mixed ones are dyn here, and found by `validateLiterals`. */
  join(previous: Type | undefined, current: Type): Type;
  /** Checks with additional variables. */
  scoped<T>(variables: Readonly<Record<string, Type>>, run: () => T): T;
  /** The type of a call; reports it if no overload fits. */
  resolveCall(expression: Expression, name: string, types: readonly Type[], style: Overload['style']): Type;
  /** The type of a field of a declared type. */
  fieldType(at: number, structName: string, field: string): Type;
  findType(name: string): Type | undefined;
}
