import type { Json } from '../../json/json.ts';
import { readFlow } from './plain-yaml-flow.ts';
import { contentEnd, type Line, type Part, peek, type Reader, readerOf, textOf } from './plain-yaml-lines.ts';
import { plainScalar, quotedScalar, UNUSUAL } from './plain-yaml-scalar.ts';

/**
 * Reads the YAML that templates render to: block maps and lists, flow collections, quoted and plain scalars on one line,
 * literal blocks. Undefined for anything else, which is left to a full parser: that one is thirty times slower.
 * `parts` is filled with the values by line.
 */
export function plainYaml(text: string, parts?: (Part | undefined)[]): Json | undefined {
  if (isUnusual(text) || /^(---|\.\.\.)/m.test(text)) return undefined;
  return readAll(readerOf(text, parts), (reader) => {
    const first = peek(reader);
    return first === undefined ? null : readNode(reader, first.indent);
  });
}

/** Reads a value by itself: what stands behind a key or a dash, and the lines that belong to it. */
export function readPart(text: string, parent: number): Json | undefined {
  if (isUnusual(text)) return undefined;
  return readAll(readerOf(text), (reader) => {
    const value = text.slice(0, contentEnd(reader, reader.lines[0] as Line)).trimStart();
    // More than a value, or nothing.
    if (value === '' || value.startsWith('#') || isItem(value) || keyEnd(value) >= 0) throw UNUSUAL;
    return readValue(reader, value, parent);
  });
}

function readAll(reader: Reader, read: (reader: Reader) => Json): Json | undefined {
  try {
    const value = read(reader);
    return peek(reader) === undefined ? value : undefined;
  } catch (cause) {
    if (cause === UNUSUAL) return undefined;
    throw cause;
  }
}

function isUnusual(text: string): boolean {
  return /[\t\r&!%`@\u0085\u2028\u2029\ufeff]/.test(text);
}

function readNode(reader: Reader, indent: number): Json {
  const line = peek(reader);
  if (line === undefined || line.indent !== indent) throw UNUSUAL;
  const text = textOf(reader, line);
  if (isItem(text)) return readList(reader, indent);
  if (keyEnd(text) >= 0) return readMap(reader, indent);
  return readValue(reader, text, indent - 1);
}

function readList(reader: Reader, indent: number): Json {
  const items: Json[] = [];
  for (let line = peek(reader); line !== undefined && line.indent >= indent; line = peek(reader)) {
    if (line.indent !== indent) throw UNUSUAL;
    if (!isItem(textOf(reader, line))) break;
    reader.path.push(items.length);
    items.push(readItem(reader, indent));
    reader.path.pop();
  }
  return items;
}

function readItem(reader: Reader, indent: number): Json {
  const line = peek(reader) as Line;
  const text = textOf(reader, line);
  const rest = text.slice(1).trimStart();
  if (rest === '' || rest.startsWith('#')) {
    reader.at++;
    return readNested(reader, indent);
  }
  // What stands behind the dash is indented as far as it stands.
  const inner = indent + text.length - rest.length;
  reader.lines[reader.at] = { ...line, indent: inner, behindDash: rest };
  return keyEnd(rest) >= 0 || isItem(rest) ? readNode(reader, inner) : readValue(reader, rest, indent);
}

function readMap(reader: Reader, indent: number): Json {
  const map: Record<string, Json> = {};
  for (let line = peek(reader); line !== undefined && line.indent >= indent; line = peek(reader)) {
    if (line.indent !== indent) throw UNUSUAL;
    const text = textOf(reader, line);
    if (isItem(text)) break;
    const end = keyEnd(text);
    if (end < 0) throw UNUSUAL;
    const key = readKey(text.slice(0, end));
    // The last one counts: where a value stands is not to be told then.
    if (reader.parts !== undefined && Object.hasOwn(map, key)) throw UNUSUAL;
    const rest = text.slice(end + 1).trimStart();
    reader.path.push(key);
    if (rest === '' || rest.startsWith('#')) {
      reader.at++;
      map[key] = readNested(reader, indent, true);
    } else {
      map[key] = readValue(reader, rest, indent);
    }
    reader.path.pop();
  }
  return map;
}

/** What is indented further; a list under a key may stand as far left as the key. Else there is nothing. */
function readNested(reader: Reader, indent: number, underKey = false): Json {
  const next = peek(reader);
  if (next === undefined) return null;
  if (next.indent > indent) return readNode(reader, next.indent);
  return underKey && next.indent === indent && isItem(textOf(reader, next)) ? readList(reader, indent) : null;
}

/** Where the key's colon is; -1 where the line has no key. */
function keyEnd(text: string): number {
  const first = text[0] ?? '';
  if (first === '"' || first === "'") {
    const close = text.indexOf(first, 1);
    return close > 0 && text[close + 1] === ':' && (close + 2 === text.length || text[close + 2] === ' ')
      ? close + 1
      : -1;
  }
  if (first === '{' || first === '[' || first === '|' || first === '>') return -1;
  const spaced = text.indexOf(': ');
  const end = spaced >= 0 ? spaced : text.endsWith(':') ? text.length - 1 : -1;
  return end >= 0 && !text.slice(0, end).includes(' #') ? end : -1;
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function readKey(text: string): string {
  const quoted = text.startsWith('"') || text.startsWith("'");
  const key = quoted ? quotedScalar(text) : plainScalar(text.trimEnd());
  // Keys that are no strings, merge keys and the like.
  if (typeof key !== 'string' || key === '<<' || key === '=' || key === '__proto__' || text.startsWith('? '))
    throw UNUSUAL;
  return key;
}

/** A value that starts on this line; `parent` is how far the collection that holds it is indented. */
function readValue(reader: Reader, text: string, parent: number): Json {
  const first = reader.at;
  const value = text.startsWith('|')
    ? readBlock(reader, text, parent)
    : text.startsWith('{') || text.startsWith('[')
      ? readFlowLines(reader, text)
      : readScalar(reader, text, parent);
  if (reader.parts !== undefined) notePart(reader, reader.parts, first, text, parent);
  return value;
}

function notePart(
  reader: Reader,
  parts: (Part | undefined)[],
  first: number,
  text: string,
  parent: number,
): void {
  const line = reader.lines[first] as Line;
  const column = contentEnd(reader, line) - text.length - line.start;
  const part = { first, last: reader.at - 1, column, parent, path: [...reader.path] };
  for (let at = first; at < reader.at; at++) parts[at] = part;
}

function readScalar(reader: Reader, text: string, parent: number): Json {
  reader.at++;
  // More of the same scalar.
  const next = peek(reader);
  if (next !== undefined && next.indent > parent) throw UNUSUAL;
  const comment = text.startsWith('"') || text.startsWith("'") ? -1 : text.indexOf(' #');
  const bare = comment < 0 ? text : text.slice(0, comment).trimEnd();
  return bare.startsWith('"') || bare.startsWith("'") ? quotedScalar(bare) : plainScalar(bare);
}

/** As many lines as it takes: most stand on one. */
function readFlowLines(reader: Reader, text: string): Json {
  const { lines, at } = reader;
  const start = contentEnd(reader, lines[at] as Line) - text.length;
  const { value, end } = readFlow(reader.text, start);
  let last = at;
  while (last + 1 < lines.length && (lines[last + 1] as Line).start <= end) last++;
  if (end < contentEnd(reader, lines[last] as Line)) throw UNUSUAL;
  reader.at = last + 1;
  return value;
}

function readBlock(reader: Reader, header: string, parent: number): Json {
  if (header !== '|' && header !== '|-') throw UNUSUAL;
  reader.at++;
  const content: string[] = [];
  let indent = -1;
  for (; reader.at < reader.lines.length; reader.at++) {
    const { start, end, own } = reader.lines[reader.at] as Line;
    const blank = own === end - start;
    if (!blank && own <= parent) break;
    if (indent < 0 && !blank) indent = own;
    // Leading blank lines and dedented ones have rules of their own.
    if (indent < 0 || (!blank && own < indent)) throw UNUSUAL;
    content.push(reader.text.slice(Math.min(start + indent, end), end));
  }
  while (content.at(-1)?.trim() === '') {
    // Spaces beyond the indentation are content.
    if (content.at(-1) !== '') throw UNUSUAL;
    content.pop();
  }
  if (content.length === 0) throw UNUSUAL;
  return content.join('\n') + (header === '|' ? '\n' : '');
}
