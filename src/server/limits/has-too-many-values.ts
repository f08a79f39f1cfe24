/** Two objects with as many values as injectors handle. Each value has at most two of these characters. */
const MOST_MARKS = 400_000;

/**
 * Whether a JSON body has more values than any review that is answered. Once parsed, each takes up to 64 bytes of memory, even if it is
 * only `{}`, so they are counted before.
 */
export function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= MOST_MARKS) return false;
  let marks = 0;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) {
      index = endOfText(body, index + 1);
      continue;
    }
    if (byte === COMMA || byte === LIST || byte === MAP) marks++;
  }
  return marks > MOST_MARKS;
}

const [QUOTE, BACKSLASH, COMMA, LIST, MAP] = [...Buffer.from('"\\,[{')] as [
  number,
  number,
  number,
  number,
  number,
];

function endOfText(body: Buffer, start: number): number {
  let end = body.indexOf(QUOTE, start);
  while (end >= 0 && isEscaped(body, end)) end = body.indexOf(QUOTE, end + 1);
  return end < 0 ? body.length : end;
}

function isEscaped(body: Buffer, at: number): boolean {
  let backslashes = 0;
  while (body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
