import { type Matcher, MatcherInput, RE2JS, RE2JSSyntaxException } from 're2js';
import { compileCost } from '../../golang/compile-cost.ts';
import { MeteredText } from '../../golang/metered-text.ts';
import { engineSyntax } from '../../golang/regexp-syntax.ts';
import { canBackquote, quote } from '../../golang/strconv.ts';
import type { Meter } from '../meter.ts';

/** A compiled pattern with the semantics of Go's regexp package. Searches are charged to the meter. */
export interface Regexp {
  readonly pattern: string;
  readonly program: RE2JS;
  /** The engine's names of each named group of the pattern. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly meter: Meter;
}

/** Positions count UTF-16 units. A match is valid until the next one is requested. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The text of a group by number or name; empty if it does not exist or did not participate. */
  readonly group: (name: string) => string;
}

export class RegexpError extends Error {}

/** regexp.Compile. */
export function compileRegexp(pattern: string, meter: Meter): Regexp {
  meter.spend(compileCost(pattern));
  const { source, groups, asWritten } = engineSyntax(pattern);
  try {
    return { pattern, program: RE2JS.compile(source), groups, meter };
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause;
    const { error, input } = cause;
    const part = input === null ? (pattern.endsWith('\\') ? '' : pattern) : asWritten(input);
    throw new RegexpError(`error parsing regexp: ${error}: \`${part}\``);
  }
}

/** regexp.MustCompile. */
export function mustCompileRegexp(pattern: string, meter: Meter): Regexp {
  try {
    return compileRegexp(pattern, meter);
  } catch (error) {
    if (!(error instanceof RegexpError)) throw error;
    const quoted = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern);
    throw new RegexpError(`regexp: Compile(${quoted}): ${error.message}`);
  }
}

/** All matches from left to right. Like Go, skips an empty match that abuts the previous match. */
export function* matchesIn(regexp: Regexp, text: string): Generator<Match> {
  const { program, meter } = regexp;
  const input = new MeteredText(text, meter);
  const matcher = program.matcher(MatcherInput.utf16(input));
  let from = 0;
  let previousEnd = -1;
  while (from <= text.length) {
    meter.spend(1);
    input.startSearch(program.programSize(), 2);
    if (!matcher.find(from)) return;
    const [start, end] = [matcher.start(), matcher.end()];
    if (start < end || start !== previousEnd)
      yield { start, end, group: (name) => groupText(regexp, matcher, input, name) };
    previousEnd = end;
    from = end > from ? end : from + charLength(text, from);
  }
}

/** Of several groups with the same name, the first that participated in the match. */
function groupText({ program, groups }: Regexp, matcher: Matcher, input: MeteredText, name: string): string {
  // The engine finds groups in a second search, when the first group is requested.
  input.startSearch(program.programSize(), 2 * (program.groupCount() + 1));
  if (!/^(?:0|[1-9]\d{0,8})$/.test(name)) {
    const found = (groups.get(name) ?? []).find((engineName) => matcher.start(engineName) >= 0);
    return found === undefined ? '' : (matcher.group(found) ?? '');
  }
  return Number(name) > program.groupCount() ? '' : (matcher.group(Number(name)) ?? '');
}

function charLength(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
