import { NO_WORK } from '../call-work.ts';
import { CelError } from '../cel-error.ts';
import { type FunctionDeclaration, type Implementation, method, overload } from '../declarations.ts';
import {
  compilePattern,
  findAllPattern,
  findPattern,
  matchesPattern,
  type Pattern,
} from '../library/regexp.ts';
import { BOOL, INT, listOf, STRING } from '../types.ts';
import { NO_OVERLOAD, unsupported } from '../values/arithmetic.ts';
import { costSize } from '../values/size.ts';
import { Failure, isInt } from '../values/values.ts';
import { matching } from './cost.ts';
import type { Library } from './merge-libraries.ts';

/** Regular expressions of Go's syntax, in linear time. Searches spend their work themselves. Constant patterns are compiled with the expression. */
export const regexLibrary: Library = [
  {
    name: 'matches',
    work: NO_WORK,
    overloads: [
      overload('matches', [STRING, STRING], BOOL),
      method('matches_string', [STRING, STRING], BOOL, undefined, ([text, pattern]) => {
        return matching(text, costSize(pattern));
      }),
    ],
    call: (text, pattern) => {
      if (typeof text !== 'string') return unsupported('matches', text);
      return typeof pattern === 'string' ? matchesPattern(text, compilePattern(pattern)) : NO_OVERLOAD;
    },
    prepare: (_, pattern) => prepared(pattern, (compiled, text) => matchesPattern(text, compiled)),
  },
  finder('find', [method('string_find_string', [STRING, STRING], STRING)], (pattern, text) =>
    findPattern(text, pattern),
  ),
  finder(
    'findAll',
    [
      method('string_find_all_string', [STRING, STRING], listOf(STRING)),
      method('string_find_all_string_int', [STRING, STRING, INT], listOf(STRING)),
    ],
    (pattern, text, limit) => findAllPattern(text, pattern, limit),
  ),
];

type Search = (pattern: Pattern, text: string, limit?: number | bigint) => unknown;

function finder(
  name: string,
  overloads: FunctionDeclaration['overloads'],
  search: Search,
): FunctionDeclaration {
  return {
    name,
    work: NO_WORK,
    overloads: overloads.map((each) => ({ ...each, call: searching(search) })),
    cost: ([text, pattern]) => matching(text, costSize(pattern)),
    prepare: (_, pattern) => prepared(pattern, search),
  };
}

function searching(search: Search): Implementation {
  return (text, pattern, limit) => search(compile(String(pattern)), String(text), isInt(limit) ? limit : -1);
}

function compile(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    throw error instanceof CelError ? new CelError(`Illegal regex: ${error.message}`) : error;
  }
}

function prepared(pattern: unknown, search: Search): Implementation | undefined {
  if (typeof pattern !== 'string') return undefined;
  const compiled = compilePattern(pattern);
  return (text, _, limit) => {
    if (typeof text !== 'string') return NO_OVERLOAD;
    return search(compiled, text, isInt(limit) ? limit : -1);
  };
}

/** Why a pattern cannot be compiled. */
export function patternProblem(pattern: string): Failure | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return new Failure(error.message);
    throw error;
  }
}
