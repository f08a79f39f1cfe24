import type { Environment, FunctionDeclaration, StructType } from './declarations.ts';
import { authorizerLibrary } from './functions/authorizer-library.ts';
import { conversionLibrary } from './functions/conversion-library.ts';
import { formatLibrary } from './functions/format-library.ts';
import { kubernetesLibrary } from './functions/kubernetes-library.ts';
import { listLibrary } from './functions/list-library.ts';
import { mergeLibraries } from './functions/merge-libraries.ts';
import { networkLibrary } from './functions/network-library.ts';
import { optionalLibrary } from './functions/optional-library.ts';
import { regexLibrary } from './functions/regex-library.ts';
import { setLibrary } from './functions/set-library.ts';
import { standardLibrary } from './functions/standard-library.ts';
import { stringLibrary } from './functions/string-library.ts';
import { timeLibrary } from './functions/time-library.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  parameter,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from './types.ts';
import { findWellKnownType } from './well-known-types.ts';

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
    Object.entries(options.structs ?? {}).map(([name, fields]) => [
      name,
      structOf(new Map(Object.entries(fields))),
    ]),
  );
  return {
    variables: new Map(Object.entries(options.variables ?? {})),
    functions:
      options.functions === undefined
        ? FUNCTIONS
        : mergeLibraries([...FUNCTIONS.values()], options.functions),
    typeNames: TYPE_NAMES,
    findStruct: (name) => structs.get(name) ?? options.findStruct?.(name) ?? findWellKnownType(name)?.struct,
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
  regexLibrary,
  listLibrary,
  setLibrary,
  formatLibrary,
  networkLibrary,
  kubernetesLibrary,
  authorizerLibrary,
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
    TYPE,
    UINT,
    opaque('optional_type'),
    opaque('net.IP'),
    opaque('net.CIDR'),
  ].map((type) => [type.name, type]),
);
