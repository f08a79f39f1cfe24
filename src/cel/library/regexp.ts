import { type Matcher, MatcherInput, RE2JS, RE2JSSyntaxException } from 're2js';
import { cacheByTexts } from '../../cache.ts';
import { compileCost } from '../../golang/compile-cost.ts';
import { MeteredText } from '../../golang/metered-text.ts';
import { engineSyntax } from '../../golang/regexp-syntax.ts';
import { CelError } from '../cel-error.ts';
import { CostError } from '../cost-error.ts';
import { spendWork } from '../work.ts';
import { unitsAt } from './code-points.ts';

/** A compiled pattern of Go's regexp package. Searches take linear time. */
export type Pattern = RE2JS;

/** Compiled patterns are shared: most are literals, and a computed one is usually used for each item of a list. */
export function compilePattern(pattern: string): Pattern {
  spendWork(4 * pattern.length);
  return patterns([pattern], () => compile(pattern));
}

/** Unanchored, like all searches. */
export function matchesPattern(text: string, pattern: Pattern): boolean {
  if (pattern.programSize() > MAX_AUTOMATON_SIZE) return matcherOf(text, pattern, 1).find();
  spendWork(SEARCH_WORK + AUTOMATON_WORK * text.length);
  return pattern.test(text);
}

/** Small patterns are tested by an automaton, which is built lazily and then takes a few nanoseconds a character. */
const MAX_AUTOMATON_SIZE = 40;
/** The cost of a character if the automaton becomes large. */
const AUTOMATON_WORK = 10;

/** The leftmost match; empty if there is none. */
export function findPattern(text: string, pattern: Pattern): string {
  const matcher = matcherOf(text, pattern, 1);
  return matcher.find() ? text.slice(matcher.start(), matcher.end()) : '';
}

/** All matches; at most `limit` unless it is negative. Like Go, skips an empty match that abuts the previous match. */
export function findAllPattern(text: string, pattern: Pattern, limit: number | bigint = -1): string[] {
  const found: string[] = [];
  const matcher = matcherOf(text, pattern, text.length + 1);
  let from = 0;
  let previousEnd = -1;
  while (from <= text.length && (limit < 0 || found.length < limit) && matcher.find(from)) {
    spendWork(SEARCH_WORK);
    const [start, end] = [matcher.start(), matcher.end()];
    if (start < end || start !== previousEnd) found.push(text.slice(start, end));
    previousEnd = end;
    from = end > from ? end : from + unitsAt(text, from);
  }
  return found;
}

/** Fewer steps are only estimated: counting takes most of the time of a short search. */
const UNCOUNTED_TRIES = 100_000;
/** Starting a search takes about a microsecond. */
const SEARCH_WORK = 100;

/** Each search may try every instruction of the program at every character, which takes about 10 ns. */
function matcherOf(text: string, pattern: Pattern, searches: number): Matcher {
  const instructions = pattern.programSize();
  const tries = instructions * text.length * searches;
  if (tries <= UNCOUNTED_TRIES) {
    spendWork(SEARCH_WORK + tries / searches);
    return pattern.matcher(text);
  }
  const input = new MeteredText(text, { spend: (steps) => spendWork(256 * steps) });
  input.startSearch(instructions, 0);
  return pattern.matcher(MatcherInput.utf16(input));
}

/** Compiling a larger pattern takes more than 20 ms. */
const MAX_COMPILE_COST = 30_000;
const WORK_PER_COMPILE_COST = 70;

/** An instruction takes about 170 bytes, so all of them together at most 34 MB: a pattern may come from the object under review. */
const MAX_CACHED_SIZE = 1000;
const patterns = cacheByTexts<Pattern>({
  entries: 200,
  isSmall: (pattern) => pattern.programSize() <= MAX_CACHED_SIZE,
});

function compile(pattern: string): Pattern {
  const cost = compileCost(pattern);
  if (cost > MAX_COMPILE_COST) throw new CostError();
  spendWork(WORK_PER_COMPILE_COST * cost);
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
