import { isPrint } from '../golang/strconv.ts';
import { toBytes } from '../golang/utf8.ts';

/** The builtin html. */
export function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (char) => HTML[char] ?? '');
}

/** The builtin js: safe inside a JavaScript string. */
export function escapeJs(text: string): string {
  // JSON escapes backslashes and double quotes alike, much faster than a pattern.
  if (/^[ -~]*$/.test(text))
    return JSON.stringify(text)
      .slice(1, -1)
      .replace(/['<>&=]/g, (char) => JS[char] ?? char);
  return text.replace(/[\\'"<>&=]|\p{Cc}|\P{ASCII}/gu, (char) => {
    if (JS[char] !== undefined) return JS[char];
    // DEL is the only control character that is not escaped.
    return char === '\x7f' || isPrint(char) ? char : escapeCode(char.codePointAt(0) ?? 0);
  });
}

function escapeCode(code: number): string {
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The builtin urlquery. A space becomes a plus, as in forms. */
export function escapeQuery(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~]/gu, (char) => {
    if (char === ' ') return '+';
    return [...toBytes(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

const JS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 0x20 }, (_, code) => [String.fromCharCode(code), escapeCode(code)]),
  ),
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};
