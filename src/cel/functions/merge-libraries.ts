import type { FunctionDeclaration, Overload } from '../declarations.ts';

/** Declarations of a library, in short form. Signatures of one name in several libraries are merged. */
export type Library = readonly FunctionDeclaration[];

/** Joins libraries. Signatures come in the order of the libraries. */
export function mergeLibraries(...libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flat()) {
    const known = functions.get(declaration.name);
    const overloads: readonly Overload[] = [...(known?.overloads ?? []), ...declaration.overloads];
    functions.set(declaration.name, { ...known, ...declaration, overloads });
  }
  return functions;
}
