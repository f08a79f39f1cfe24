import { type Func, type FunctionMap, func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import {
  compileRegexp,
  matchesIn,
  mustCompileRegexp,
  type Regexp,
  RegexpError,
} from '../regexp/compile-regexp.ts';
import { replaceAll, replaceAllLiteral } from '../regexp/replace-all.ts';
import { type Int, Slice, type Value } from '../values.ts';
import { mustName } from './with-must.ts';

/** Sprig's functions on regular expressions. */
export const REGEXP: FunctionMap = {
  // Sprig ignores the error of an invalid pattern here.
  regexMatch: metered('func(string, string) bool', (meter, pattern: string, text: string) => {
    try {
      return hasMatch(compileRegexp(pattern, meter), text);
    } catch (error) {
      if (error instanceof RegexpError) return false;
      throw error;
    }
  }),
  mustRegexMatch: metered('func(string, string) (bool, error)', (meter, pattern: string, text: string) =>
    hasMatch(compileRegexp(pattern, meter), text),
  ),
  ...pair('regexFind', 'func(string, string)', 'string', (regexp, text: string) => find(regexp, text)),
  ...pair('regexFindAll', 'func(string, string, int)', '[]string', (regexp, text: string, limit: Int) =>
    findAll(regexp, text, Number(limit.value)),
  ),
  ...pair('regexReplaceAll', 'func(string, string, string)', 'string', replaceAll),
  ...pair('regexReplaceAllLiteral', 'func(string, string, string)', 'string', replaceAllLiteral),
  ...pair('regexSplit', 'func(string, string, int)', '[]string', (regexp, text: string, limit: Int) =>
    split(regexp, text, Number(limit.value)),
  ),
  regexQuoteMeta: func('func(string) string', (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};

type Body = (regexp: Regexp, ...args: never[]) => Value;

/** An invalid pattern is a panic of the first function and an error of the second. */
function pair(name: string, params: string, result: string, body: Body): Record<string, Func> {
  const run = body as (regexp: Regexp, ...args: Value[]) => Value;
  const using =
    (compile: (pattern: string, meter: Meter) => Regexp) =>
    (meter: Meter, pattern: string, ...args: Value[]): Value =>
      run(compile(pattern, meter), ...args);
  return {
    [name]: metered(`${params} ${result}`, using(mustCompileRegexp)),
    [mustName(name)]: metered(`${params} (${result}, error)`, using(compileRegexp)),
  };
}

function hasMatch(regexp: Regexp, text: string): boolean {
  return matchesIn(regexp, text).next().done !== true;
}

function find(regexp: Regexp, text: string): string {
  for (const { start, end } of matchesIn(regexp, text)) return text.slice(start, end);
  return '';
}

/** A negative limit means no limit. Go returns a nil slice if there is no match. */
function findAll(regexp: Regexp, text: string, limit: number): Slice {
  const found: string[] = [];
  for (const { start, end } of limit === 0 ? [] : matchesIn(regexp, text)) {
    found.push(text.slice(start, end));
    if (found.length === limit) break;
  }
  return new Slice('string', found.length === 0 ? null : found);
}

function split(regexp: Regexp, text: string, limit: number): Slice {
  if (limit === 0) return new Slice('string', null);
  if (text === '' && regexp.pattern === '') return new Slice('string', []);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of matchesIn(regexp, text)) {
    if (parts.length === limit - 1) break;
    // An empty match at the very start or end separates nothing.
    if (end === 0 || start === text.length) continue;
    parts.push(text.slice(from, start));
    from = end;
  }
  return new Slice('string', [...parts, text.slice(from)]);
}
