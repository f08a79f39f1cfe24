/** The content of a string token, without its prefix `b`. Throws the text of the issue. */
export function unescapeString(token: string): string {
  const { text, raw } = content(token);
  if (raw) return text;
  return text.replace(ESCAPES, (sequence) => {
    const point = codeOf(sequence);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
      throw new Error('invalid unicode code point');
    return String.fromCodePoint(point);
  });
}

/** The content of a bytes token, without its prefix `b`. Octal and hexadecimal escapes are bytes. */
export function unescapeBytes(token: string): Uint8Array {
  const { text, raw } = content(token);
  const encoder = new TextEncoder();
  if (raw) return encoder.encode(text);
  const bytes: number[] = [];
  let start = 0;
  for (const match of text.matchAll(ESCAPES)) {
    for (const byte of encoder.encode(text.slice(start, match.index))) bytes.push(byte);
    if (/^\\[uU]/.test(match[0])) throw new Error('unable to unescape string');
    bytes.push(codeOf(match[0]));
    start = match.index + match[0].length;
  }
  for (const byte of encoder.encode(text.slice(start))) bytes.push(byte);
  return Uint8Array.from(bytes);
}

function content(token: string): { text: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replaceAll(/\r\n?/g, '\n');
  const width = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { text: quoted.slice(width, -width), raw };
}

function codeOf(sequence: string): number {
  const letter = sequence.charAt(1);
  const simple = SIMPLE.get(letter);
  if (simple !== undefined) return simple;
  return /[0-3]/.test(letter)
    ? Number.parseInt(sequence.slice(1), 8)
    : Number.parseInt(sequence.slice(2), 16);
}

const ESCAPES = /\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7]|.)/gs;

const SIMPLE: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
]);
