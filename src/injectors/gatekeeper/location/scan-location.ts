/** One token of a location. `position` counts characters from 1. */
export type Token =
  | { readonly type: 'name'; readonly text: string; readonly position: number }
  | { readonly type: 'integer'; readonly text: string; readonly position: number }
  | { readonly type: '.' | '[' | ']' | ':' | '*' | 'end'; readonly position: number }
  | { readonly type: 'invalid'; readonly problem: string; readonly position: number };

/** Splits a location into tokens; the last one is `end` or `invalid`. Blanks may stand between any two. */
export function scanLocation(text: string): readonly Token[] {
  const characters = [...text];
  const tokens: Token[] = [];
  let at = 0;
  while (at < characters.length) {
    const first = characters[at] as string;
    const position = at + 1;
    if (BLANK.test(first)) {
      at++;
    } else if (DIGIT.test(first)) {
      const digits = run(characters, at, DIGIT);
      tokens.push({ type: 'integer', text: digits, position });
      at += digits.length;
    } else if (NAME.test(first)) {
      const name = run(characters, at, NAME);
      tokens.push({ type: 'name', text: name, position });
      at += name.length;
    } else if (first === '"' || first === "'") {
      const string = quotedString(characters, at);
      if (string === undefined)
        return [...tokens, { type: 'invalid', problem: `a string without its closing ${first}`, position }];
      tokens.push({ type: 'name', text: string.text, position });
      at = string.end;
    } else if (isPunctuation(first)) {
      tokens.push({ type: first, position });
      at++;
    } else {
      return [
        ...tokens,
        { type: 'invalid', problem: `unexpected character ${JSON.stringify(first)}`, position },
      ];
    }
  }
  return [...tokens, { type: 'end', position: characters.length + 1 }];
}

const BLANK = /^[ \t\r\n]$/;
const DIGIT = /^[0-9]$/;
const NAME = /^[A-Za-z0-9_-]$/;

function isPunctuation(text: string): text is '.' | '[' | ']' | ':' | '*' {
  return text === '.' || text === '[' || text === ']' || text === ':' || text === '*';
}

function run(characters: readonly string[], from: number, allowed: RegExp): string {
  let end = from;
  while (end < characters.length && allowed.test(characters[end] as string)) end++;
  return characters.slice(from, end).join('');
}

/** A backslash takes the next character as it is. */
function quotedString(
  characters: readonly string[],
  from: number,
): { readonly text: string; readonly end: number } | undefined {
  let text = '';
  for (let at = from + 1; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === characters[from]) return { text, end: at + 1 };
    if (character !== '\\') text += character;
    else if (++at < characters.length) text += characters[at];
  }
  return undefined;
}
