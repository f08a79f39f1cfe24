import { RE2JS, RE2JSSyntaxException } from 're2js';
import { cacheByTexts } from '../../cache.ts';
import { engineSyntax } from '../../golang/regexp-syntax.ts';
import { CelError } from '../cel-error.ts';
import { unitsAt } from './code-points.ts';

/** A compiled pattern of Go's regexp package. Searches take linear time. */
export type Pattern = RE2JS;

/** Compiled patterns are shared: most are literals, and a computed one is usually used for each item of a list. */
export function compilePattern(pattern: string): Pattern {
  return patterns([pattern], () => compile(pattern));
}

/** Unanchored, as all searches. */
export function matchesPattern(text: string, pattern: Pattern): boolean {
  return pattern.matcher(text).find();
}

/** The leftmost match; empty if there is none. */
export function findPattern(text: string, pattern: Pattern): string {
  const matcher = pattern.matcher(text);
  return matcher.find() ? text.slice(matcher.start(), matcher.end()) : '';
}

/** All matches; at most `limit` unless it is negative. Like Go, skips an empty match that abuts the previous match. */
export function findAllPattern(text: string, pattern: Pattern, limit: number | bigint = -1): string[] {
  const found: string[] = [];
  const matcher = pattern.matcher(text);
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

const patterns = cacheByTexts<Pattern>(200);

function compile(pattern: string): Pattern {
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
