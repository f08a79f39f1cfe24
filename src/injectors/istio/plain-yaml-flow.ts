import type { Json } from '../../json/json.ts';
import { jsonEnd, plainScalar, quotedScalar, singleEnd, UNUSUAL } from './plain-yaml-scalar.ts';

/** Reads the flow collection that starts at a place of the text. `end` is where it is over. */
export function readFlow(text: string, start: number): { readonly value: Json; readonly end: number } {
  const reader = { text, at: start };
  const value = text[start] === '{' ? readMap(reader) : readList(reader);
  return { value, end: reader.at };
}

interface Reader {
  readonly text: string;
  at: number;
}

function readMap(reader: Reader): Json {
  const map: Record<string, Json> = {};
  reader.at++;
  for (skip(reader); reader.text[reader.at] !== '}'; skip(reader)) {
    const key = readScalar(reader);
    if (typeof key !== 'string' || key === '<<' || key === '__proto__') throw UNUSUAL;
    // Behind the key, on its line: a colon, and a space.
    if (reader.text[reader.at] !== ':' || !/[ \n]/.test(reader.text[reader.at + 1] ?? '')) throw UNUSUAL;
    reader.at++;
    skip(reader);
    map[key] = /[,}]/.test(reader.text[reader.at] ?? '') ? null : readItem(reader);
    separator(reader, '}');
  }
  reader.at++;
  return map;
}

function readList(reader: Reader): Json {
  const items: Json[] = [];
  reader.at++;
  for (skip(reader); reader.text[reader.at] !== ']'; skip(reader)) {
    items.push(readItem(reader));
    separator(reader, ']');
  }
  reader.at++;
  return items;
}

function readItem(reader: Reader): Json {
  const first = reader.text[reader.at];
  if (first === '{') return readMap(reader);
  return first === '[' ? readList(reader) : readScalar(reader);
}

function readScalar(reader: Reader): Json {
  const { text, at } = reader;
  if (text[at] === '"' || text[at] === "'") {
    const end = text[at] === '"' ? jsonEnd(text, at) : singleEnd(text, at);
    if (end < 0) throw UNUSUAL;
    reader.at = end + 1;
    return quotedScalar(text.slice(at, end + 1));
  }
  PLAIN.lastIndex = at;
  const bare = (PLAIN.exec(text)?.[0] ?? '').trimEnd();
  if (bare === '' || bare.includes('#') || /:$/.test(bare)) throw UNUSUAL;
  reader.at = at + bare.length;
  return plainScalar(bare);
}

/** Up to what ends a scalar: a colon does when a space follows. */
const PLAIN = /(?:[^,[\]{}\n:]|:(?![ \n]))*/y;

/** A comma, or what closes the collection. A scalar that goes on in the next line comes to neither. */
function separator(reader: Reader, close: string): void {
  skip(reader);
  if (reader.text[reader.at] === ',') reader.at++;
  else if (reader.text[reader.at] !== close) throw UNUSUAL;
}

function skip(reader: Reader): void {
  while (reader.text[reader.at] === ' ' || reader.text[reader.at] === '\n') reader.at++;
  if (reader.at >= reader.text.length) throw UNUSUAL;
  if (reader.text[reader.at] === '#') throw UNUSUAL;
}
