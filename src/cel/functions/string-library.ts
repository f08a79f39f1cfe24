import { perLength, searching } from '../call-work.ts';
import {
  type Cost,
  type FunctionDeclaration,
  type Implementation,
  method,
  type Overload,
  overload,
  type Work,
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
import { doubleTraversal, tenths, traversal } from './cost.ts';
import type { Library } from './merge-libraries.ts';

/** Finding a position, if the text has surrogates. */
const COUNTING = perLength(0.5);

/** Standard and extended functions of strings. */
export const stringLibrary: Library = [
  test(
    'contains',
    'contains_string',
    (text, part) => findText(text, part) >= 0,
    ([text, part]) => tenths(text) * tenths(part),
    searching,
  ),
  test(
    'startsWith',
    'starts_with_string',
    (text, part) => text.startsWith(part),
    ([text]) => tenths(text),
    comparing,
  ),
  test(
    'endsWith',
    'ends_with_string',
    (text, part) => text.endsWith(part),
    ([text]) => tenths(text),
    comparing,
  ),
  {
    name: 'charAt',
    work: COUNTING,
    overloads: [method('string_char_at_int', [STRING, INT], STRING, charAtIndex)],
  },
  {
    name: 'indexOf',
    work: finding,
    cost: ([text]) => Math.floor(costSize(text) / 10),
    overloads: [
      method('string_index_of_string', [STRING, STRING], INT, bind(indexOf)),
      method('string_index_of_string_int', [STRING, STRING, INT], INT, bind(indexOf)),
    ],
  },
  {
    name: 'lastIndexOf',
    work: finding,
    cost: ([text]) => Math.floor(costSize(text) / 10),
    overloads: [
      method('string_last_index_of_string', [STRING, STRING], INT, bind(lastIndexOf)),
      method('string_last_index_of_string_int', [STRING, STRING, INT], INT, bind(lastIndexOf)),
    ],
  },
  traversing('lowerAscii', perLength(2), [method('string_lower_ascii', [STRING], STRING, bind(lowerAscii))]),
  traversing('upperAscii', perLength(2), [method('string_upper_ascii', [STRING], STRING, bind(upperAscii))]),
  traversing('trim', perLength(0.5), [method('string_trim', [STRING], STRING, bind(trimText))]),
  traversing('substring', COUNTING, [
    method('string_substring_int', [STRING, INT], STRING, bind(substring)),
    method('string_substring_int_int', [STRING, INT, INT], STRING, bind(substring)),
  ]),
  {
    name: 'replace',
    work: searching,
    cost: doubleTraversal,
    overloads: [
      method('string_replace_string_string', [STRING, STRING, STRING], STRING, replace),
      method('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace),
    ],
  },
  {
    name: 'split',
    work: searching,
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
    work: perLength(2),
    overloads: [overload('strings_quote', [STRING], STRING, bind(quoteText), ([text]) => tenths(text))],
  },
];

/** Comparing with the beginning or end of a text. */
function comparing([, part]: readonly unknown[]): number {
  return costSize(part) / 10;
}

/** Of a text, the position that is found is counted. A list spends for each element. */
function finding(args: readonly unknown[]): number {
  return searching(args) + COUNTING(args);
}

/** A predicate of two strings with unchecked arguments. */
function test(
  name: string,
  id: string,
  decide: (a: string, b: string) => boolean,
  cost: Cost,
  work: Work,
): FunctionDeclaration {
  const call = (a: unknown, b: unknown) =>
    typeof a === 'string' && typeof b === 'string' ? decide(a, b) : NO_OVERLOAD;
  return { name, work, unguarded: true, overloads: [method(id, [STRING, STRING], BOOL, call, cost)] };
}

function replace(text: unknown, part: unknown, by: unknown, limit: unknown = -1): unknown {
  return replaceText(String(text), String(part), String(by), isInt(limit) ? limit : -1);
}

function charAtIndex(text: unknown, index: unknown): unknown {
  return isInt(index) ? charAt(String(text), index) : NO_OVERLOAD;
}

function traversing(name: string, work: Work, overloads: readonly Overload[]): FunctionDeclaration {
  return { name, cost: traversal, work, overloads };
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
