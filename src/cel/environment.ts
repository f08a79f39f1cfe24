import { conversionLibrary } from './conversion-library.ts';
import type { Environment, FunctionDeclaration, StructType } from './declarations.ts';
import { mergeLibraries } from './functions.ts';
import { optionalLibrary } from './optional-library.ts';
import { standardLibrary } from './standard-library.ts';
import { stringLibrary } from './string-library.ts';
import { timeLibrary } from './time-library.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOfType,
  UINT,
} from './types.ts';

/** What expressions may refer to, besides the functions and types that all of them have. */
export interface EnvironmentOptions {
  /** Types of variables by name. */
  readonly variables?: Readonly<Record<string, Type>>;
  /** Fields of struct types by the type's name. */
  readonly structs?: Readonly<Record<string, Readonly<Record<string, Type>>>>;
  /** Struct types that cannot be listed, or that expressions can construct. */
  readonly findStruct?: (name: string) => StructType | undefined;
  readonly functions?: readonly FunctionDeclaration[];
}

export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const structs = new Map(
    Object.entries(options.structs ?? {}).map(([name, fields]) => [name, structOf(new Map(Object.entries(fields)))]),
  );
  return {
    variables: new Map(Object.entries(options.variables ?? {})),
    functions: options.functions === undefined ? FUNCTIONS : mergeLibraries([...FUNCTIONS.values()], options.functions),
    typeNames: TYPE_NAMES,
    findStruct: (name) => structs.get(name) ?? options.findStruct?.(name),
  };
}

function structOf(fields: ReadonlyMap<string, Type>): StructType {
  return { field: (name) => fields.get(name) };
}

const FUNCTIONS = mergeLibraries(
  standardLibrary,
  conversionLibrary,
  stringLibrary,
  timeLibrary,
  optionalLibrary,
);

const TYPE_NAMES: ReadonlyMap<string, Type> = new Map(
  [
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    listOf(parameter('A')),
    mapOf(parameter('A'), parameter('B')),
    NULL,
    STRING,
    TIMESTAMP,
    typeOfType(DYN),
    UINT,
    optionalOf(parameter('A')),
  ].map((type) => [type.name, type]),
);
