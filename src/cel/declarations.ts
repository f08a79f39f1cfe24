import { parameter, type Type } from './types.ts';

/** A function of the language or of a library, under all of its signatures. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Implements all overloads, and checks its arguments. */
  readonly call?: Implementation;
  /**
   * An implementation for calls with constant arguments; those that are not constant are undefined. Returns undefined if
   * there is nothing to prepare, and throws a CelError if such a call always fails.
   */
  readonly prepare?: (...constants: readonly unknown[]) => Implementation | undefined;
  /** The units that a call costs, whichever overload it is. */
  readonly cost?: Cost;
  /** The work of a call, whichever overload it is. By default, that of reading all arguments once. */
  readonly work?: Work;
  /** Units that depend on the result. */
  readonly resultCost?: (result: unknown) => number;
  /** Arguments reach the overload unchecked. */
  readonly unguarded?: boolean;
}

export interface Overload {
  readonly id: string;
  readonly style: 'function' | 'method';
  /** The receiver of a method comes first. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly call?: Implementation;
  /** The units that a call costs if the checker could choose this overload. */
  readonly cost?: Cost;
}

/** Gets arguments that are not failures. Returns a value or a failure, or throws a CelError. */
export type Implementation = (...args: readonly unknown[]) => unknown;

/** Charged before the call, so that a call beyond the limit is not carried out. */
export type Cost = (args: readonly unknown[]) => number;

/** Units of work, as `work.ts` counts them. Spent before the call, or the call is not carried out. */
export type Work = (args: readonly unknown[]) => number;

export interface StructType {
  /** The type of a field; undefined if there is no such field. */
  field(name: string): Type | undefined;
  /** Makes a value of the fields given; absent if the type cannot be constructed. */
  readonly construct?: (fields: ReadonlyMap<string, unknown>) => unknown;
}

/** What expressions may refer to. Made by `environment`. */
export interface Environment {
  /** Types of variables by name, which may be dotted. */
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that can be named, besides structs. */
  readonly typeNames: ReadonlyMap<string, Type>;
  findStruct(name: string): StructType | undefined;
}

export function overload(
  id: string,
  parameters: readonly Type[],
  result: Type,
  call?: Implementation,
  cost?: Cost,
): Overload {
  return { id, style: 'function', parameters, result, ...(call && { call }), ...(cost && { cost }) };
}

export function method(
  id: string,
  parameters: readonly Type[],
  result: Type,
  call?: Implementation,
  cost?: Cost,
): Overload {
  return { id, style: 'method', parameters, result, ...(call && { call }), ...(cost && { cost }) };
}

/** Type parameters of declarations. Each use of an overload gets its own. */
export const A = parameter('A');
export const B = parameter('B');
