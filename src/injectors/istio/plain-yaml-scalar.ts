import type { Json } from '../../json/json.ts';

/** Thrown where the text is not of the plain kind. */
export const UNUSUAL = Symbol('unusual YAML');

const WORDS: Readonly<Record<string, Json>> = {
  null: null,
  Null: null,
  NULL: null,
  '~': null,
  true: true,
  false: false,
};

/** A scalar without quotes, on one line: what it could be taken for in YAML 1.1 besides a string is left to others. */
export function plainScalar(text: string): Json {
  // Most are names, and longer than any word that means something else.
  if (text.length > 5 && /^[A-Za-z_][\w./-]*$/.test(text)) return text;
  if (Object.hasOwn(WORDS, text)) return WORDS[text] as Json;
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (isWord(text) || (/^[-+.]?[\d.]/.test(text) && looksNumeric(text))) throw UNUSUAL;
  if (/^[-?:,[\]{}#&*!|>'"%@`=<]/.test(text) && !/^-[^\s-]|^--/.test(text)) throw UNUSUAL;
  if (/: |:$| #/.test(text) || text === '-') throw UNUSUAL;
  return text;
}

/** Numbers in all their forms, dates, and numbers to the base of 60. Not `10m`, `1.2.3` or `80,81`. */
function looksNumeric(text: string): boolean {
  return !/[g-wyzG-WYZ/,*$]/.test(text) && !/^\d+\.\d+\.\d+/.test(text);
}

function isWord(text: string): boolean {
  return /^(y|yes|n|no|on|off|true|false|null|[-+]?(\.?(inf|nan)|0o.*))$/i.test(text);
}

export function quotedScalar(text: string): string {
  const quote = text[0];
  const close = quote === '"' ? jsonEnd(text) : singleEnd(text);
  if (close < 0 || close !== text.length - 1) throw UNUSUAL;
  if (quote === "'") return text.slice(1, -1).replaceAll("''", "'");
  return unescaped(text);
}

/** Of what YAML and JSON both know: any other escape is unusual. */
export function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  if (/\\[^"\\nrtbfu/]/.test(literal.replaceAll('\\\\', ''))) throw UNUSUAL;
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw UNUSUAL;
  }
}

/** Where a double-quoted scalar ends. */
export function jsonEnd(text: string, from = 0): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
    else if (text[at] === '\n') return -1;
  }
  return -1;
}

export function singleEnd(text: string, from = 0): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\n') return -1;
    if (text[at] !== "'") continue;
    if (text[at + 1] !== "'") return at;
    at++;
  }
  return -1;
}
