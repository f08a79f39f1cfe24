import type { Json } from '../../../sdk/index.ts';

/** Thrown for YAML that only a full parser reads. */
export const UNUSUAL = Symbol('unusual YAML');

/** Most keys and plain scalars: strings that YAML 1.1 cannot read as another type. */
export const NAME = /^(?!(?:y|yes|n|no|on|off|true|false|null|inf|nan)$)[a-z_/][\w./-]*$/i;

const WORDS: Readonly<Record<string, Json>> = {
  null: null,
  Null: null,
  NULL: null,
  '~': null,
  true: true,
  false: false,
};

/** A scalar without quotes. Texts that YAML 1.1 may read as another type than string are unusual. */
export function plainScalar(text: string): Json {
  if (Object.hasOwn(WORDS, text)) return WORDS[text] as Json;
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (isWord(text) || (/^[-+.]?[\d.]/.test(text) && looksNumeric(text))) throw UNUSUAL;
  if (/^[-?:,[\]{}#&*!|>'"%@`=<]/.test(text) && !/^-[^\s-]|^--/.test(text)) throw UNUSUAL;
  if (/: |:$| #/.test(text) || text === '-') throw UNUSUAL;
  return text;
}

/** Matches numbers in all notations, dates and sexagesimal numbers, but not `10m`, `1.2.3` or `80,81`. */
function looksNumeric(text: string): boolean {
  return !/[g-wyzG-WYZ/,*$]/.test(text) && !/^\d+\.\d+\.\d+/.test(text);
}

function isWord(text: string): boolean {
  return /^(y|yes|n|no|on|off|true|false|null|[-+]?(\.?(inf|nan)|0o.*))$/i.test(text);
}

export function quotedScalar(text: string): string {
  const last = text.length - 1;
  if (text.startsWith('"') && !text.includes('\\') && text.indexOf('"', 1) === last)
    return text.slice(1, last);
  if (quotedEnd(text, 0) !== last) throw UNUSUAL;
  if (text.startsWith("'")) return text.slice(1, last).replaceAll("''", "'");
  try {
    // Rejects escapes that only YAML has.
    return JSON.parse(text) as string;
  } catch {
    throw UNUSUAL;
  }
}

/** Where the quoted scalar that starts at `start` ends; -1 if it does not end on this line. */
export function quotedEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at;
      at++;
    }
  }
  return -1;
}
