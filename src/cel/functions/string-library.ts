import {
  type Cost,
  type FunctionDeclaration,
  type Implementation,
  method,
  type Overload,
  overload,
} from '../declarations.ts';
import { findText } from '../library/find-text.ts';
import {
  charAt,
  indexOf,
  joinTexts,
  lastIndexOf,
  lowerAscii,
  quoteText,
  replaceText,
  splitText,
  substring,
  trimText,
  upperAscii,
} from '../library/strings.ts';
import { BOOL, INT, listOf, STRING } from '../types.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { costSize } from '../values/size.ts';
import { Failure, isInt } from '../values/values.ts';
import { spendWork } from '../work.ts';
import { doubleTraversal, tenths, traversal } from './cost.ts';
import type { Library } from './merge-libraries.ts';

/** Standard and extended functions of strings. */
export const stringLibrary: Library = [
  test(
    'contains',
    'contains_string',
    (text, part) => findText(text, part) >= 0,
    ([text, part]) => tenths(text) * tenths(part),
  ),
  test(
    'startsWith',
    'starts_with_string',
    (text, part) => text.startsWith(part),
    ([text]) => tenths(text),
  ),
  test(
    'endsWith',
    'ends_with_string',
    (text, part) => text.endsWith(part),
    ([text]) => tenths(text),
  ),
  { name: 'charAt', overloads: [method('string_char_at_int', [STRING, INT], STRING, charAtIndex)] },
  {
    name: 'indexOf',
    cost: ([text]) => Math.floor(costSize(text) / 10),
    overloads: [
      method('string_index_of_string', [STRING, STRING], INT, bind(indexOf)),
      method('string_index_of_string_int', [STRING, STRING, INT], INT, bind(indexOf)),
    ],
  },
  {
    name: 'lastIndexOf',
    cost: ([text]) => Math.floor(costSize(text) / 10),
    overloads: [
      method('string_last_index_of_string', [STRING, STRING], INT, bind(lastIndexOf)),
      method('string_last_index_of_string_int', [STRING, STRING, INT], INT, bind(lastIndexOf)),
    ],
  },
  traversing('lowerAscii', [method('string_lower_ascii', [STRING], STRING, bind(lowerAscii))]),
  traversing('upperAscii', [method('string_upper_ascii', [STRING], STRING, bind(upperAscii))]),
  traversing('trim', [method('string_trim', [STRING], STRING, bind(trimText))]),
  traversing('substring', [
    method('string_substring_int', [STRING, INT], STRING, bind(substring)),
    method('string_substring_int_int', [STRING, INT, INT], STRING, bind(substring)),
  ]),
  {
    name: 'replace',
    cost: doubleTraversal,
    overloads: [
      method('string_replace_string_string', [STRING, STRING, STRING], STRING, replace),
      method('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace),
    ],
  },
  {
    name: 'split',
    cost: doubleTraversal,
    overloads: [
      method('string_split_string', [STRING, STRING], listOf(STRING), bind(splitText)),
      method('string_split_string_int', [STRING, STRING, INT], listOf(STRING), bind(splitText)),
    ],
  },
  {
    name: 'join',
    cost: () => 0,
    resultCost: (result) => doubleTraversal([result]),
    overloads: [
      method('list_join', [listOf(STRING)], STRING, join),
      method('list_join_string', [listOf(STRING), STRING], STRING, join),
    ],
  },
  {
    name: 'strings.quote',
    overloads: [overload('strings_quote', [STRING], STRING, bind(quoteText), ([text]) => tenths(text))],
  },
];

/** A predicate of two strings with unchecked arguments. */
function test(
  name: string,
  id: string,
  decide: (a: string, b: string) => boolean,
  cost: Cost,
): FunctionDeclaration {
  const call = (a: unknown, b: unknown) =>
    typeof a === 'string' && typeof b === 'string' ? decide(a, b) : NO_OVERLOAD;
  return { name, unguarded: true, overloads: [method(id, [STRING, STRING], BOOL, call, cost)] };
}

/** Builds long texts from short ones, which its cost does not reflect. */
function replace(text: unknown, part: unknown, by: unknown, limit: unknown = -1): unknown {
  const result = replaceText(String(text), String(part), String(by), isInt(limit) ? limit : -1);
  spendWork(result.length / 4);
  return result;
}

function charAtIndex(text: unknown, index: unknown): unknown {
  spendWork(String(text).length / 10);
  return isInt(index) ? charAt(String(text), index) : NO_OVERLOAD;
}

function traversing(name: string, overloads: readonly Overload[]): FunctionDeclaration {
  return { name, cost: traversal, overloads };
}

/** A function on arguments whose types the overload guarantees. */
function bind<Args extends readonly never[]>(call: (...args: Args) => unknown): Implementation {
  return call as unknown as Implementation;
}

function join(list: unknown, separator: unknown = ''): unknown {
  const texts: string[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    if (typeof item !== 'string') return new Failure('no such overload: join(list, string)');
    texts.push(item);
  }
  return joinTexts(texts, String(separator));
}
