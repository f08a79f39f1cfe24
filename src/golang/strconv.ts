import { fromBytes, toBytes } from './utf8.ts';

/** Go's strconv.Quote: what %q prints for a string. */
export function quote(text: string): string {
  return `"${escapeText(text, '"')}"`;
}

/** Go's strconv.QuoteRune: what %q prints for an integer. */
export function quoteRune(code: number): string {
  const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return `'${escapeText(String.fromCodePoint(valid ? code : 0xfffd), "'")}'`;
}

/** Go's strconv.IsPrint: letters, marks, numbers, punctuation, symbols and the space. */
export function isPrint(char: string): boolean {
  return PRINTABLE.test(char);
}

/** Go's strconv.CanBackquote: whether the text can be quoted with backquotes. */
export function canBackquote(text: string): boolean {
  return !/[`\ufeff]|(?![\t\u0080-\u009f])\p{Cc}/u.test(text);
}

/** Parses a Go string literal; undefined if invalid. */
export function unquote(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  // Go drops carriage returns from raw strings.
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  return body.includes('\\') ? unescapeText(body, '"') : body;
}

/** Parses a character constant; undefined if invalid. */
export function unquoteRune(literal: string): number | undefined {
  const body = literal.slice(1, -1);
  if (body === '' || body === "'") return undefined;
  const byte = /^\\(?:x([0-9a-fA-F]{2})|([0-3][0-7]{2}))$/.exec(body);
  if (byte) return byte[1] ? Number.parseInt(byte[1], 16) : Number.parseInt(byte[2] ?? '', 8);
  const text = unescapeText(body, "'");
  return text !== undefined && [...text].length === 1 ? text.codePointAt(0) : undefined;
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const SIMPLE = /^[ !#-&(-[\]-~]*$/;

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

function escapeText(text: string, delimiter: string): string {
  if (SIMPLE.test(text)) return text;
  let out = '';
  for (const char of text) {
    if (char === delimiter) out += `\\${char}`;
    else if (SHORT[char] !== undefined) out += SHORT[char];
    else if (isPrint(char)) out += char;
    else out += escapeCode(char.codePointAt(0) ?? 0);
  }
  return out;
}

function escapeCode(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

const ESCAPE =
  /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))|([^\\]+)/gy;
const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** \x and octal escapes are bytes, so several of them may make up one character. */
function unescapeText(body: string, delimiter: string): string | undefined {
  const bytes: number[] = [];
  ESCAPE.lastIndex = 0;
  while (ESCAPE.lastIndex < body.length) {
    const match = ESCAPE.exec(body);
    if (match === null) return undefined;
    const [, letter, hex, octal, short, long, plain] = match;
    if (plain !== undefined) bytes.push(...toBytes(plain));
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) {
      if ((letter === "'" || letter === '"') && letter !== delimiter) return undefined;
      bytes.push(LETTERS[letter] ?? letter.charCodeAt(0));
    } else {
      const code = Number.parseInt(short ?? long ?? '', 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
      bytes.push(...toBytes(String.fromCodePoint(code)));
    }
  }
  return fromBytes(Uint8Array.from(bytes));
}
