import { type Func, type FunctionMap, func } from '../func.ts';
import { type Int, Slice } from '../values.ts';

/**
 * Go's regular expressions as a port. Templates are written by users, so the engine must run in linear time like
 * Go's own; JavaScript's does not. A host that has one (RE2) passes it in, otherwise calls fail with a reason.
 */
export interface RegexpEngine {
  /** All matches, left to right, as [start, end] in UTF-16 units; at most `limit` if that is not negative. */
  readonly findAll: (pattern: string, text: string, limit: number) => readonly (readonly [number, number])[];
  /** Replaces every match; $1 and ${name} stand for groups, as in Go. */
  readonly replaceAll: (pattern: string, text: string, replacement: string) => string;
}

export function regexpFunctions(engine: RegexpEngine | undefined): FunctionMap {
  const findAll = (pattern: string, text: string, limit: number) => {
    if (engine === undefined) throw new Error('regular expressions are not available in these templates');
    return engine.findAll(pattern, text, limit);
  };
  const matches = (pattern: string, text: string, limit: number) =>
    findAll(pattern, text, limit).map(([start, end]) => text.slice(start, end));
  return {
    ...both(
      'regexMatch',
      'func(string, string)',
      'bool',
      (pattern: string, text: string) => findAll(pattern, text, 1).length > 0,
    ),
    ...both(
      'regexFind',
      'func(string, string)',
      'string',
      (pattern: string, text: string) => matches(pattern, text, 1)[0] ?? '',
    ),
    ...both(
      'regexFindAll',
      'func(string, string, int)',
      '[]string',
      (pattern: string, text: string, limit: Int) =>
        new Slice('string', matches(pattern, text, Number(limit.value))),
    ),
    ...both(
      'regexReplaceAll',
      'func(string, string, string)',
      'string',
      (pattern: string, text: string, by: string) => {
        findAll(pattern, '', 1);
        return engine?.replaceAll(pattern, text, by) ?? '';
      },
    ),
    ...both(
      'regexReplaceAllLiteral',
      'func(string, string, string)',
      'string',
      (pattern: string, text: string, by: string) => separate(text, findAll(pattern, text, -1)).join(by),
    ),
    ...both(
      'regexSplit',
      'func(string, string, int)',
      '[]string',
      (pattern: string, text: string, limit: Int) =>
        new Slice('string', split(text, findAll(pattern, text, -1), Number(limit.value))),
    ),
    regexQuoteMeta: func('func(string) string', (text: string) =>
      text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'),
    ),
  };
}

function both(
  name: string,
  params: string,
  result: string,
  body: (...args: never[]) => string | boolean | Slice,
): Record<string, Func> {
  const must = `must${name[0]?.toUpperCase()}${name.slice(1)}`;
  return { [name]: func(`${params} ${result}`, body), [must]: func(`${params} (${result}, error)`, body) };
}

/** The text between the matches. */
function separate(text: string, found: readonly (readonly [number, number])[]): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of found) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)];
}

function split(text: string, found: readonly (readonly [number, number])[], limit: number): string[] {
  if (limit === 0) return [];
  // An empty match at the very start or end separates nothing.
  const useful = found.filter(([start, end]) => end > 0 && start < text.length);
  return separate(text, limit < 0 ? useful : useful.slice(0, limit - 1));
}
