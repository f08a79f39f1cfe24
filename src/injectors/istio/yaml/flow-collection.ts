import { type Json, setMember } from '../../../sdk/index.ts';
import { plainScalar, quotedEnd, quotedScalar, UNUSUAL } from './plain-scalar.ts';
import { MOST_NESTED } from './yaml-limits.ts';

/** Reads the flow collection that starts at `start`; `end` is the place behind it. */
export function readFlow(text: string, start: number): { readonly value: Json; readonly end: number } {
  const reader = { text, at: start, depth: 0 };
  return { value: readItem(reader), end: reader.at };
}

interface Reader {
  readonly text: string;
  at: number;
  /** How many collections are open. */
  depth: number;
}

function readItem(reader: Reader): Json {
  const first = reader.text[reader.at];
  if (first !== '{' && first !== '[') return readScalar(reader);
  if (++reader.depth > MOST_NESTED) throw UNUSUAL;
  const value = first === '{' ? readMap(reader) : readList(reader);
  reader.depth--;
  return value;
}

function readMap(reader: Reader): Json {
  const map: Record<string, Json> = {};
  reader.at++;
  for (skipSpace(reader); reader.text[reader.at] !== '}'; skipSpace(reader)) {
    const key = readScalar(reader);
    if (typeof key !== 'string' || key === '<<') throw UNUSUAL;
    if (reader.text[reader.at] !== ':' || !/[ \n]/.test(reader.text[reader.at + 1] ?? '')) throw UNUSUAL;
    reader.at++;
    skipSpace(reader);
    setMember(map, key, /[,}]/.test(reader.text[reader.at] as string) ? null : readItem(reader));
    readSeparator(reader, '}');
  }
  reader.at++;
  return map;
}

function readList(reader: Reader): Json {
  const items: Json[] = [];
  reader.at++;
  for (skipSpace(reader); reader.text[reader.at] !== ']'; skipSpace(reader)) {
    items.push(readItem(reader));
    readSeparator(reader, ']');
  }
  reader.at++;
  return items;
}

function readScalar(reader: Reader): Json {
  const { text, at } = reader;
  if (text[at] === '"' || text[at] === "'") {
    const end = quotedEnd(text, at);
    if (end < 0) throw UNUSUAL;
    reader.at = end + 1;
    return quotedScalar(text.slice(at, end + 1));
  }
  PLAIN.lastIndex = at;
  const bare = (PLAIN.exec(text)?.[0] ?? '').trimEnd();
  if (bare === '' || bare.includes('#') || bare.endsWith(':')) throw UNUSUAL;
  reader.at = at + bare.length;
  return plainScalar(bare);
}

/** Everything up to the end of a scalar. A colon ends it only if a space follows. */
const PLAIN = /(?:[^,[\]{}\n:]|:(?![ \n]))*/y;

/** Reads a comma, unless the collection ends. A scalar that continues on the next line is unusual. */
function readSeparator(reader: Reader, close: string): void {
  skipSpace(reader);
  if (reader.text[reader.at] === ',') reader.at++;
  else if (reader.text[reader.at] !== close) throw UNUSUAL;
}

function skipSpace(reader: Reader): void {
  while (reader.text[reader.at] === ' ' || reader.text[reader.at] === '\n') reader.at++;
  if (reader.at >= reader.text.length || reader.text[reader.at] === '#') throw UNUSUAL;
}
