import { type Matcher, MatcherInput, RE2JS, RE2JSSyntaxException } from 're2js';
import { cacheByTexts } from '../../cache.ts';
import { compileCost } from '../../golang/compile-cost.ts';
import { MeteredText } from '../../golang/metered-text.ts';
import { engineSyntax } from '../../golang/regexp-syntax.ts';
import { CelError } from '../cel-error.ts';
import { CostError } from '../cost-error.ts';
import { unitsAt } from './code-points.ts';

/** A compiled pattern of Go's regexp package. Searches take linear time. */
export type Pattern = RE2JS;

/** Compiled patterns are shared: most are literals, and a computed one is usually used for each item of a list. */
export function compilePattern(pattern: string): Pattern {
  return patterns([pattern], () => compile(pattern));
}

/** Unanchored, as all searches. */
export function matchesPattern(text: string, pattern: Pattern): boolean {
  return matcherOf(text, pattern, 1).find();
}

/** The leftmost match; empty if there is none. */
export function findPattern(text: string, pattern: Pattern): string {
  const matcher = matcherOf(text, pattern, 1);
  return matcher.find() ? text.slice(matcher.start(), matcher.end()) : '';
}

/** All matches; at most `limit` unless it is negative. Like Go, skips an empty match that abuts the previous match. */
export function findAllPattern(text: string, pattern: Pattern, limit: number | bigint = -1): string[] {
  const found: string[] = [];
  const matcher = matcherOf(text, pattern, text.length);
  let from = 0;
  let previousEnd = -1;
  while (from <= text.length && (limit < 0 || found.length < limit) && matcher.find(from)) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start < end || start !== previousEnd) found.push(text.slice(start, end));
    previousEnd = end;
    from = end > from ? end : from + unitsAt(text, from);
  }
  return found;
}

/** Instructions that a search may try, at about 8 ns each: 40 ms in all. */
const MAX_TRIES = 5_000_000;
/** Fewer are not counted: counting takes most of the time of a short search. */
const UNCOUNTED_TRIES = 1_000_000;

/** Each search may try every instruction of the program at every character. */
function matcherOf(text: string, pattern: Pattern, searches: number): Matcher {
  const instructions = pattern.programSize();
  if (instructions * text.length * searches <= UNCOUNTED_TRIES) return pattern.matcher(text);
  let left = MAX_TRIES / 256;
  const input = new MeteredText(text, {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new CostError();
    },
  });
  input.startSearch(instructions, 0);
  return pattern.matcher(MatcherInput.utf16(input));
}

/** Compiling a larger pattern takes more than 20 ms. */
const MAX_COMPILE_COST = 30_000;

const patterns = cacheByTexts<Pattern>(200);

function compile(pattern: string): Pattern {
  if (compileCost(pattern) > MAX_COMPILE_COST) throw new CostError();
  const { source, asWritten } = engineSyntax(pattern);
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause;
    const { error, input } = cause;
    const part = input === null ? (pattern.endsWith('\\') ? '' : pattern) : asWritten(input);
    throw new CelError(`error parsing regexp: ${error}: \`${part}\``);
  }
}
