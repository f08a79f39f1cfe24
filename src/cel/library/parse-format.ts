import { quote } from '../../golang/strconv.ts';
import { toBytes } from '../../golang/utf8.ts';

export type FormatVerb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

export interface FormatClause {
  readonly verb: FormatVerb;
  readonly precision: number | undefined;
}

/** The text that precedes a clause, and the clause; a message if it cannot be parsed; undefined at the end. */
export interface FormatPart {
  readonly text: string;
  readonly clause: FormatClause | { readonly problem: string } | undefined;
}

export const UNEXPECTED_END = 'unexpected end of string';

/** Splits a format before and after each clause. Nothing follows a problem. */
export function parseFormat(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let text = '';
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    if (percent < 0) break;
    text += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      text += '%';
      at = percent + 2;
      continue;
    }
    const { clause, end } = parseClause(format, percent + 1);
    parts.push({ text, clause });
    if ('problem' in clause) return parts;
    text = '';
    at = end;
  }
  parts.push({ text: text + format.slice(at), clause: undefined });
  return parts;
}

interface ParsedClause {
  readonly clause: FormatClause | { readonly problem: string };
  readonly end: number;
}

function parseClause(format: string, start: number): ParsedClause {
  if (start === format.length) return { clause: { problem: UNEXPECTED_END }, end: start };
  CLAUSE.lastIndex = start;
  const [, digits, verb = ''] = CLAUSE.exec(format) ?? [];
  const precision = digits === undefined ? undefined : Number(digits);
  const problem = clauseProblem(digits, verb);
  if (problem !== undefined)
    return { clause: { problem: `could not parse formatting clause: ${problem}` }, end: start };
  return { clause: { verb: verb as FormatVerb, precision }, end: CLAUSE.lastIndex };
}

const CLAUSE = /(?:\.(\d*))?(.?)/suy;

function clauseProblem(digits: string | undefined, verb: string): string | undefined {
  if (verb === '') return 'error while parsing precision: could not find end of precision specifier';
  if (digits === '' || Number(digits ?? 0) > Number.MAX_SAFE_INTEGER) {
    const reason = digits === '' ? 'invalid syntax' : 'value out of range';
    const conversion = `strconv.Atoi: parsing ${quote(digits ?? '')}: ${reason}`;
    return `error while parsing precision: error while converting precision to integer: ${conversion}`;
  }
  // Go treats the first byte as a character.
  if (!/^[sdfebxXo]$/.test(verb))
    return `unrecognized formatting clause "${String.fromCharCode(toBytes(verb)[0] ?? 0)}"`;
  return undefined;
}
