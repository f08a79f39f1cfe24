import { type Json, setMember } from '../../../sdk/index.ts';
import { readFlow } from './flow-collection.ts';
import { NAME, plainScalar, quotedScalar, UNUSUAL } from './plain-scalar.ts';
import { MOST_NESTED } from './yaml-limits.ts';

/**
 * Reads the YAML that templates usually render: block maps and lists, flow collections, scalars on one line, literal
 * blocks. Returns undefined for everything else, which needs a full parser: that one is about twenty times slower.
 */
export function plainYaml(text: string): Json | undefined {
  if (/[\t\r\u0085\u2028\u2029\ufeff]|^(?:---|\.\.\.|%)/m.test(text)) return undefined;
  const reader: Reader = { text, start: 0, content: 0, end: 0, stop: -1, depth: 0 };
  try {
    nextContent(reader);
    const value = isAtEnd(reader) ? null : readNode(reader, reader.content - reader.start - 1);
    return isAtEnd(reader) ? value : undefined;
  } catch (cause) {
    if (cause === UNUSUAL) return undefined;
    throw cause;
  }
}

/** A text and its current line. */
interface Reader {
  readonly text: string;
  start: number;
  /** Where the content of the line starts. It moves when a dash has been read. */
  content: number;
  /** Where the content of the line ends. */
  end: number;
  /** Where the line ends, with trailing spaces. */
  stop: number;
  /** How many collections are open. */
  depth: number;
}

const SPACE = 0x20;
const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;

function nextLine(reader: Reader): void {
  const { text } = reader;
  const start = reader.stop + 1;
  const newline = text.indexOf('\n', start);
  const stop = newline < 0 ? Math.max(start, text.length) : newline;
  let content = start;
  while (content < stop && text.charCodeAt(content) === SPACE) content++;
  let end = stop;
  while (end > content && text.charCodeAt(end - 1) === SPACE) end--;
  reader.start = start;
  reader.content = content;
  reader.end = end;
  reader.stop = stop;
}

/** Moves on to the next line that is neither blank nor a comment. */
function nextContent(reader: Reader): void {
  do nextLine(reader);
  while (isBlankOrComment(reader) && !isAtEnd(reader));
}

function isBlankOrComment({ text, content, end }: Reader): boolean {
  return content === end || text.charCodeAt(content) === HASH;
}

function isAtEnd({ text, start }: Reader): boolean {
  return start > text.length;
}

function isItem({ text, content, end }: Reader): boolean {
  return text.charCodeAt(content) === DASH && (content + 1 === end || text.charCodeAt(content + 1) === SPACE);
}

/** Reads a collection or a scalar, in a collection that is indented as far as `parent`. */
function readNode(reader: Reader, parent: number): Json {
  if (++reader.depth > MOST_NESTED) throw UNUSUAL;
  const value = readOpened(reader, parent);
  reader.depth--;
  return value;
}

function readOpened(reader: Reader, parent: number): Json {
  const indent = reader.content - reader.start;
  if (isItem(reader)) return readList(reader, indent);
  const colon = keyEnd(reader);
  return colon < 0 ? readValue(reader, reader.content, parent) : readMap(reader, indent, colon);
}

function readList(reader: Reader, indent: number): Json {
  const items: Json[] = [];
  do {
    const value = valueStart(reader, reader.content + 1);
    if (value < 0) items.push(readNested(reader, indent, false));
    else {
      // A collection behind the dash is indented as far as its first line.
      reader.content = value;
      items.push(readNode(reader, indent));
    }
  } while (continues(reader, indent) && isItem(reader));
  return items;
}

function readMap(reader: Reader, indent: number, firstColon: number): Json {
  const map: Record<string, Json> = {};
  for (let colon = firstColon; ; colon = keyEnd(reader)) {
    if (colon < 0) throw UNUSUAL;
    const key = readKey(reader.text.slice(reader.content, colon));
    const value = valueStart(reader, colon + 1);
    setMember(map, key, value < 0 ? readNested(reader, indent, true) : readValue(reader, value, indent));
    if (!continues(reader, indent) || isItem(reader)) return map;
  }
}

/** Whether the current line belongs to the collection that starts in the column `indent`. */
function continues(reader: Reader, indent: number): boolean {
  if (isAtEnd(reader)) return false;
  const found = reader.content - reader.start;
  if (found > indent) throw UNUSUAL;
  return found === indent;
}

/** Where the value behind a dash or colon starts; -1 if the rest of the line is empty. */
function valueStart({ text, end }: Reader, from: number): number {
  let start = from;
  while (start < end && text.charCodeAt(start) === SPACE) start++;
  return start === end || text.charCodeAt(start) === HASH ? -1 : start;
}

/** Reads the lines that are indented further. A list under a key may start in the column of the key. */
function readNested(reader: Reader, indent: number, isUnderKey: boolean): Json {
  nextContent(reader);
  if (isAtEnd(reader)) return null;
  const found = reader.content - reader.start;
  if (found > indent) return readNode(reader, found - 1);
  return isUnderKey && found === indent && isItem(reader) ? readList(reader, indent) : null;
}

/** Where the colon of the key on the current line is; -1 if there is no key. */
function keyEnd({ text, content: start, end }: Reader): number {
  const content = text.slice(start, end);
  const first = content[0];
  if (first === '"' || first === "'") {
    const close = content.indexOf(first, 1);
    return close > 0 && endsKey(content, close + 1) ? start + close + 1 : -1;
  }
  if (first === '{' || first === '[' || first === '|' || first === '>') return -1;
  let colon = content.indexOf(':');
  while (colon >= 0 && !endsKey(content, colon)) colon = content.indexOf(':', colon + 1);
  return colon <= 0 ? -1 : start + colon;
}

function endsKey(content: string, colon: number): boolean {
  if (content.charCodeAt(colon) !== COLON) return false;
  return colon + 1 === content.length || content.charCodeAt(colon + 1) === SPACE;
}

function readKey(text: string): string {
  if (NAME.test(text)) return text;
  const isQuoted = text.startsWith('"') || text.startsWith("'");
  const key = isQuoted ? quotedScalar(text) : plainScalar(text.trimEnd());
  // Merge keys, complex keys and keys of other types.
  if (typeof key !== 'string' || key === '<<' || key === '=' || text.startsWith('? ')) throw UNUSUAL;
  return key;
}

/** Reads a value that starts on the current line, in a collection that is indented as far as `parent`. */
function readValue(reader: Reader, start: number, parent: number): Json {
  const first = reader.text[start];
  if (first === '|') return readLiteral(reader, start, parent);
  if (first === '{' || first === '[') return readFlowLines(reader, start);
  const line = reader.text.slice(start, reader.end);
  nextContent(reader);
  // A scalar that continues on the next line.
  if (!isAtEnd(reader) && reader.content - reader.start > parent) throw UNUSUAL;
  if (NAME.test(line)) return line;
  if (first === '"' || first === "'") return quotedScalar(line);
  const comment = line.indexOf(' #');
  return plainScalar(comment < 0 ? line : line.slice(0, comment).trimEnd());
}

function readFlowLines(reader: Reader, start: number): Json {
  const { value, end } = readFlow(reader.text, start);
  while (reader.stop < end) nextLine(reader);
  if (end < reader.end) throw UNUSUAL;
  nextContent(reader);
  return value;
}

function readLiteral(reader: Reader, start: number, parent: number): Json {
  const header = reader.text.slice(start, reader.end);
  if (header !== '|' && header !== '|-') throw UNUSUAL;
  const lines: string[] = [];
  let indent = -1;
  let isEnded = true;
  for (nextLine(reader); !isAtEnd(reader); nextLine(reader)) {
    const found = reader.content - reader.start;
    const isBlank = reader.content === reader.stop;
    if (!isBlank && found <= parent) break;
    if (indent < 0 && !isBlank) indent = found;
    // Leading blank lines and lines that are indented less follow other rules.
    if (indent < 0 || (!isBlank && found < indent)) throw UNUSUAL;
    lines.push(reader.text.slice(Math.min(reader.start + indent, reader.stop), reader.stop));
    if (!isBlank) isEnded = reader.stop < reader.text.length;
  }
  while (lines.at(-1) === '') lines.pop();
  // Spaces behind the indentation of a blank line belong to the text.
  if (lines.length === 0 || lines.at(-1)?.trim() === '') throw UNUSUAL;
  if (isBlankOrComment(reader) && !isAtEnd(reader)) nextContent(reader);
  // Only if the text does not end with the last line.
  return lines.join('\n') + (header === '|' && isEnded ? '\n' : '');
}
