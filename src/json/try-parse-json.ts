import type { Json } from './json.ts';

/** Far more than real values have, and far less than what overflows the stack of a recursive function. */
export const MOST_NESTED = 500;

/** Parses JSON; undefined if it is invalid, or nested too deeply for recursive functions. */
export function tryParseJson(text: string): Json | undefined {
  if (isNestedDeeply(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isNestedDeeply(text: string): boolean {
  if (!hasManyBrackets(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === OPEN_LIST || code === OPEN_MAP) {
      if (++depth > MOST_NESTED) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) depth--;
  }
  return false;
}

/** A fast check, since most texts have few brackets. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > MOST_NESTED) return true;
    }
  }
  return false;
}

function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
