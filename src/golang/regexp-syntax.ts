/** A pattern translated to the engine's syntax. */
export interface EngineSyntax {
  readonly source: string;
  /** The names in the source of each named group of the pattern. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Translates a part of the source back, for error messages. */
  readonly asWritten: (part: string) => string;
}

/**
 * Quoted text, an escape, a class, the start of a named group, a repetition, or any other character. An unclosed class
 * extends to the end of the pattern, so that tokenizing takes linear time.
 */
export const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*(?:\]|\\?$)|\(\?P?<(\w+)>|\{(\d+)(?:,(\d*))?\}|./gs;

interface Piece {
  readonly token: string;
  readonly engine: string;
}

/** Translates syntax that only Go accepts: other names of Unicode classes, and several groups with the same name. */
export function engineSyntax(pattern: string): EngineSyntax {
  const tokens = [...pattern.matchAll(TOKEN)];
  const names = tokens.flatMap(([, name]) => name ?? []);
  const isUnique = new Set(names).size === names.length;
  const groups = new Map<string, string[]>(names.map((name) => [name, []]));
  const pieces = tokens.map(([token, name], i): Piece => {
    if (name === undefined)
      return { token, engine: token.startsWith('\\Q') ? token : token.replace(CLASS, renameClass) };
    const engineName = isUnique ? name : `g${i}`;
    groups.get(name)?.push(engineName);
    return { token, engine: token.replace(name, engineName) };
  });
  const source = pieces.map(({ engine }) => engine).join('');
  return { source, groups, asWritten: (part) => writtenPart(pieces, part, source.indexOf(part)) };
}

function writtenPart(pieces: readonly Piece[], part: string, start: number): string {
  let end = 0;
  const inside = pieces.filter(({ engine }) => {
    end += engine.length;
    return end - engine.length >= start && end <= start + part.length;
  });
  // A part that starts or ends within a token is returned unchanged.
  const isWhole = inside.map(({ engine }) => engine).join('') === part;
  return isWhole ? inside.map(({ token }) => token).join('') : part;
}

/** The last alternative skips all other escapes. */
const CLASS = /(\\[pP])(?:\{(\^?)([^}]*)\}|([clmnpsz]))|\\./gs;

/** Go ignores case, spaces, hyphens and underscores in `\p{...}` and knows the long names of categories. */
function renameClass(
  whole: string,
  start: string,
  negation: string,
  braced: string | undefined,
  letter: string | undefined,
): string {
  if (letter !== undefined) return start + letter.toUpperCase();
  if (braced === undefined) return whole;
  const name = braced.replace(/[ _-]/g, '').toLowerCase();
  const category = CATEGORIES.get(name);
  if (category === undefined && COMPOUND_SCRIPT.test(braced)) return whole;
  return `${start}{${negation}${category ?? name.charAt(0).toUpperCase() + name.slice(1)}}`;
}

/** The engine's spelling of scripts such as Old_Italic. */
const COMPOUND_SCRIPT = /^[A-Z][a-z]+(?:_[A-Z][a-z]*)+$|^SignWriting$/;

/** Long names of Unicode's categories. */
const CATEGORIES = new Map(
  [
    'LC casedletter, Pe closepunctuation, M combiningmark, Pc connectorpunctuation, Cc control, Sc currencysymbol',
    'Pd dashpunctuation, Nd decimalnumber, Me enclosingmark, Pf finalpunctuation, Cf format, Pi initialpunctuation',
    'L letter, Nl letternumber, Zl lineseparator, Ll lowercaseletter, M mark, Sm mathsymbol, Lm modifierletter',
    'Sk modifiersymbol, Mn nonspacingmark, N number, Ps openpunctuation, C other, Lo otherletter, No othernumber',
    'Po otherpunctuation, So othersymbol, Zp paragraphseparator, Co privateuse, P punctuation, Z separator',
    'Zs spaceseparator, Mc spacingmark, Cs surrogate, S symbol, Lt titlecaseletter, Cn unassigned',
    'Lu uppercaseletter, Cc cntrl, Nd digit, P punct',
  ].flatMap((line) => line.split(', ').map((entry) => entry.split(' ').reverse() as [string, string])),
);
