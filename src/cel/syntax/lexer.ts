import type { Issue } from './issue.ts';

export interface Token {
  readonly kind: TokenKind;
  /** As written in the source. */
  readonly text: string;
  readonly at: number;
}

export type TokenKind =
  | 'name'
  | 'escapedName'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'symbol'
  | 'end';

/** Splits a source into tokens, the last of which is `end`. Anything else is an issue and left out. */
export function lex(source: string): { tokens: readonly Token[]; issues: readonly Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let at = 0;
  for (;;) {
    at = skipBlank(source, at);
    if (at >= source.length) break;
    const token = tokenAt(source, at);
    if (token === undefined) {
      const end = endOfGarbage(source, at);
      issues.push({ at, text: `Syntax error: token recognition error at: '${source.slice(at, end)}'` });
      at = end;
    } else {
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return { tokens, issues };
}

function skipBlank(source: string, from: number): number {
  BLANK.lastIndex = from;
  return BLANK.test(source) ? BLANK.lastIndex : from;
}

/** The longest token at a position. */
function tokenAt(source: string, at: number): Token | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text, at };
  }
  return undefined;
}

/** Where lexing continues after text that is not a token: after the first character that no token could have there. */
function endOfGarbage(source: string, at: number): number {
  BROKEN.lastIndex = at;
  const start = BROKEN.test(source) ? BROKEN.lastIndex : at;
  const point = source.codePointAt(start);
  return Math.min(source.length, start + ((point ?? 0) > 0xffff ? 2 : 1));
}

const BLANK = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7])`;
const STRING = [
  `[rR]"""[^]*?"""|[rR]'''[^]*?'''`,
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""|'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`[rR]"[^"\n\r]*"|[rR]'[^'\n\r]*'`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"|'(?:${ESCAPE}|[^\\'\n\r])*'`,
].join('|');

/** In this order, the first match is the longest. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', new RegExp(`[bB](?:${STRING})`, 'y')],
  ['string', new RegExp(STRING, 'y')],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['double', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['escapedName', /`[A-Za-z0-9_.\-/ ]+`/y],
  ['symbol', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];

/** The valid beginning of an incomplete token. */
const BROKEN = new RegExp(
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*(?:\\[xXuU]?[0-9a-fA-F]*)?|'(?:${ESCAPE}|[^\\'\n\r])*(?:\\[xXuU]?[0-9a-fA-F]*)?|[=&|]|${'`'}[A-Za-z0-9_.\-/ ]*`,
  'y',
);
