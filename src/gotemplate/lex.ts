import { quote } from '../golang/strconv.ts';

export type TokenType =
  | 'error'
  | 'eof'
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | '='
  | ':='
  | '|'
  | '('
  | ')'
  | 'char'
  | 'bool'
  | 'rune'
  | 'complex'
  | 'number'
  | 'string'
  | 'raw string'
  | 'variable'
  | 'field'
  | 'identifier'
  | 'keyword';

export interface Token {
  readonly type: TokenType;
  /** The source text, or the message of an error token. */
  readonly text: string;
  readonly pos: number;
}

/** Splits a template into tokens. An error becomes the last token, so that the parser can report earlier errors first. */
export function lex(text: string, hasFunction: (name: string) => boolean): Token[] {
  const tokens: Token[] = [];
  let pos = 0;
  while (pos < text.length) {
    const open = text.indexOf('{{', pos);
    if (open < 0) break;
    const end = trimsLeft(text, open) ? trimRight(text, pos, open) : open;
    if (end > pos) tokens.push({ type: 'text', text: text.slice(pos, end), pos });
    const start = open + 2 + (trimsLeft(text, open) ? 2 : 0);
    const next = text.startsWith('/*', start)
      ? lexComment(text, start, tokens)
      : lexAction(text, open, start, tokens, hasFunction);
    if (next < 0) return tokens;
    pos = next;
  }
  if (pos < text.length) tokens.push({ type: 'text', text: text.slice(pos), pos });
  tokens.push({ type: 'eof', text: 'EOF', pos: text.length });
  return tokens;
}

/** A token in an error message. */
export function tokenName(token: Token): string {
  if (token.type === 'eof' || token.type === 'error') return token.text;
  if (token.type === 'keyword') return `<${token.text}>`;
  const chars = [...token.text];
  return chars.length > 10 && token.text.length > 10
    ? `${quote(chars.slice(0, 10).join(''))}...`
    : quote(token.text);
}

const KEYWORDS = new Set([
  '.',
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);
const SPACE = /[ \t\r\n]/;
const SPACES = /[ \t\r\n]*/y;
const WORD = /[\p{L}\p{Nd}_]*/uy;
const TERMINATOR = /[ \t\r\n.,|:)(]|\}\}|$/y;
const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;
const QUOTED = { '"': /(?:[^"\\\n]|\\[^\n])*"/y, "'": /(?:[^'\\\n]|\\[^\n])*'/y } as const;

function matchAt(pattern: RegExp, text: string, pos: number): string | undefined {
  pattern.lastIndex = pos;
  return pattern.exec(text)?.[0];
}

// A trim marker is followed by a space: {{-3}} is a number.
function trimsLeft(text: string, open: number): boolean {
  return text[open + 2] === '-' && SPACE.test(text[open + 3] ?? '');
}

function trimRight(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && SPACE.test(text[last - 1] ?? '')) last--;
  return last;
}

/** The length of the closing delimiter at a position, including the trim marker; 0 if there is none. */
function closeLength(text: string, pos: number): 0 | 2 | 4 {
  if (text.startsWith('}}', pos)) return 2;
  return SPACE.test(text[pos] ?? '') && text.startsWith('-}}', pos + 1) ? 4 : 0;
}

function afterClose(text: string, pos: number, length: 2 | 4): number {
  const end = pos + length;
  return length === 4 ? end + (matchAt(SPACES, text, end)?.length ?? 0) : end;
}

function fail(tokens: Token[], pos: number, message: string): -1 {
  tokens.push({ type: 'error', text: message, pos }, { type: 'eof', text: 'EOF', pos });
  return -1;
}

function lexComment(text: string, start: number, tokens: Token[]): number {
  const end = text.indexOf('*/', start + 2);
  if (end < 0) return fail(tokens, start, 'unclosed comment');
  const length = closeLength(text, end + 2);
  if (length === 0) return fail(tokens, start, 'comment ends before closing delimiter');
  return afterClose(text, end + 2, length);
}

function lexAction(
  text: string,
  open: number,
  start: number,
  tokens: Token[],
  hasFunction: (name: string) => boolean,
): number {
  tokens.push({ type: 'open', text: '{{', pos: open });
  let depth = 0;
  let pos = start;
  for (;;) {
    const closing = closeLength(text, pos);
    if (closing !== 0) {
      if (depth > 0) return fail(tokens, pos, 'unclosed left paren');
      tokens.push({ type: 'close', text: '}}', pos: pos + closing - 2 });
      return afterClose(text, pos, closing);
    }
    if (pos >= text.length) return fail(tokens, pos, 'unclosed action');
    const token = lexInside(text, pos, hasFunction);
    if (token.type === 'error') return fail(tokens, pos, token.text);
    if (token.type === '(') depth++;
    if (token.type === ')' && --depth < 0) return fail(tokens, pos, 'unexpected right paren');
    tokens.push(token);
    pos += token.text.length;
  }
}

function lexInside(text: string, pos: number, hasFunction: (name: string) => boolean): Token {
  const char = text[pos] ?? '';
  const following = text[pos + 1] ?? '';
  if (SPACE.test(char)) return lexSpace(text, pos);
  if (char === '=' || char === '|' || char === '(' || char === ')') return { type: char, text: char, pos };
  if (char === ':') return following === '=' ? { type: ':=', text: ':=', pos } : error(pos, 'expected :=');
  if (char === '"') return lexQuoted(text, pos, '"');
  if (char === "'") return lexQuoted(text, pos, "'");
  if (char === '`') {
    const end = text.indexOf('`', pos + 1);
    if (end < 0) return error(pos, 'unterminated raw quoted string');
    return { type: 'raw string', text: text.slice(pos, end + 1), pos };
  }
  if (char === '$') return lexName(text, pos, 'variable');
  if (char === '.' && !/[0-9]/.test(following) && following !== '') return lexName(text, pos, 'field');
  if (/[-+.0-9]/.test(char)) return lexNumber(text, pos);
  if (matchAt(WORD, text, pos) !== '') return lexWord(text, pos, hasFunction);
  if (/[ -~]/.test(char)) return { type: 'char', text: char, pos };
  return error(pos, `unrecognized character in action: ${unicodeName(text, pos)}`);
}

function error(pos: number, message: string): Token {
  return { type: 'error', text: message, pos };
}

/** The last space before a trimming delimiter belongs to that delimiter. */
function lexSpace(text: string, pos: number): Token {
  const run = matchAt(SPACES, text, pos) ?? '';
  const keep = closeLength(text, pos + run.length - 1) === 4 ? run.slice(0, -1) : run;
  return { type: 'space', text: keep, pos };
}

function lexQuoted(text: string, pos: number, delimiter: '"' | "'"): Token {
  const body = matchAt(QUOTED[delimiter], text, pos + 1);
  if (body !== undefined) return { type: delimiter === '"' ? 'string' : 'rune', text: delimiter + body, pos };
  return error(pos, delimiter === '"' ? 'unterminated quoted string' : 'unterminated character constant');
}

/** `.`, `.name`, `$` or `$name`. */
function lexName(text: string, pos: number, type: 'variable' | 'field'): Token {
  const name = matchAt(WORD, text, pos + 1) ?? '';
  const end = pos + 1 + name.length;
  if (matchAt(TERMINATOR, text, end) === undefined)
    return error(pos, `bad character ${unicodeName(text, end)}`);
  if (name === '' && type === 'field') return { type: 'keyword', text: '.', pos };
  return { type, text: text.slice(pos, end), pos };
}

function lexNumber(text: string, pos: number): Token {
  const first = matchAt(NUMBER, text, pos) ?? '';
  let end = pos + first.length;
  let type: TokenType = 'number';
  const bad = (): Token => {
    const next =
      matchAt(WORD, text, end) === '' ? 0 : String.fromCodePoint(text.codePointAt(end) ?? 0).length;
    return error(pos, `bad number syntax: ${quote(text.slice(pos, end + next))}`);
  };
  if (matchAt(WORD, text, end) !== '') return bad();
  if (text[end] === '+' || text[end] === '-') {
    end += matchAt(NUMBER, text, end)?.length ?? 0;
    type = 'complex';
    if (matchAt(WORD, text, end) !== '' || text[end - 1] !== 'i') return bad();
  }
  return { type, text: text.slice(pos, end), pos };
}

function lexWord(text: string, pos: number, hasFunction: (name: string) => boolean): Token {
  const word = matchAt(WORD, text, pos) ?? '';
  const end = pos + word.length;
  if (matchAt(TERMINATOR, text, end) === undefined)
    return error(pos, `bad character ${unicodeName(text, end)}`);
  if (word === 'true' || word === 'false') return { type: 'bool', text: word, pos };
  // Programs older than these two keywords may define functions with those names.
  const shadowed = (word === 'break' || word === 'continue') && hasFunction(word);
  return { type: KEYWORDS.has(word) && !shadowed ? 'keyword' : 'identifier', text: word, pos };
}

function unicodeName(text: string, pos: number): string {
  const code = text.codePointAt(pos) ?? 0;
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const char = String.fromCodePoint(code);
  return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char) ? `${point} '${char}'` : point;
}
