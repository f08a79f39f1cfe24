import type { Json } from '../../json/json.ts';
import { readFlow } from './plain-yaml-flow.ts';
import { plainScalar, quotedScalar, UNUSUAL } from './plain-yaml-scalar.ts';

/**
 * Reads the YAML that templates render to: block maps and lists, flow collections, quoted and plain scalars on one line,
 * literal blocks. Undefined for anything else, which is left to a full parser: that one is thirty times slower.
 */
export function plainYaml(text: string): Json | undefined {
  if (/[\t\r&!%`@\u0085\u2028\u2029\ufeff]/.test(text) || /^(---|\.\.\.)/m.test(text)) return undefined;
  const reader: Reader = { lines: text.split('\n').map(toLine), at: 0 };
  try {
    const first = peek(reader);
    if (first === undefined) return null;
    const value = readNode(reader, first.indent);
    return peek(reader) === undefined ? value : undefined;
  } catch (cause) {
    if (cause === UNUSUAL) return undefined;
    throw cause;
  }
}

interface Line {
  readonly indent: number;
  /** Without indentation and trailing space; empty for blank lines and comments. */
  readonly text: string;
  readonly raw: string;
}

interface Reader {
  readonly lines: Line[];
  at: number;
}

function toLine(raw: string): Line {
  const text = raw.trim();
  return { indent: raw.length - raw.trimStart().length, text: text.startsWith('#') ? '' : text, raw };
}

function peek(reader: Reader): Line | undefined {
  while (reader.at < reader.lines.length && reader.lines[reader.at]?.text === '') reader.at++;
  return reader.lines[reader.at];
}

function readNode(reader: Reader, indent: number): Json {
  const line = peek(reader);
  if (line === undefined || line.indent !== indent) throw UNUSUAL;
  if (isItem(line.text)) return readList(reader, indent);
  if (keyEnd(line.text) >= 0) return readMap(reader, indent);
  return readValue(reader, line.text, indent - 1);
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function readList(reader: Reader, indent: number): Json {
  const items: Json[] = [];
  for (let line = peek(reader); line !== undefined && line.indent >= indent; line = peek(reader)) {
    if (line.indent !== indent) throw UNUSUAL;
    if (!isItem(line.text)) break;
    const rest = line.text.slice(1).trimStart();
    if (rest === '' || rest.startsWith('#')) {
      reader.at++;
      items.push(readNested(reader, indent));
      continue;
    }
    // What stands behind the dash is indented as far as it stands.
    const inner = indent + line.text.length - rest.length;
    reader.lines[reader.at] = { ...line, indent: inner, text: rest };
    items.push(keyEnd(rest) >= 0 || isItem(rest) ? readNode(reader, inner) : readValue(reader, rest, indent));
  }
  return items;
}

function readMap(reader: Reader, indent: number): Json {
  const map: Record<string, Json> = {};
  for (let line = peek(reader); line !== undefined && line.indent >= indent; line = peek(reader)) {
    if (line.indent !== indent) throw UNUSUAL;
    if (isItem(line.text)) break;
    const end = keyEnd(line.text);
    if (end < 0) throw UNUSUAL;
    const key = readKey(line.text.slice(0, end));
    const rest = line.text.slice(end + 1).trimStart();
    if (rest === '' || rest.startsWith('#')) {
      reader.at++;
      map[key] = readNested(reader, indent, true);
    } else {
      map[key] = readValue(reader, rest, indent);
    }
  }
  return map;
}

/** What is indented further; a list under a key may stand as far left as the key. Else there is nothing. */
function readNested(reader: Reader, indent: number, underKey = false): Json {
  const next = peek(reader);
  if (next === undefined) return null;
  if (next.indent > indent) return readNode(reader, next.indent);
  return underKey && next.indent === indent && isItem(next.text) ? readList(reader, indent) : null;
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
  if (text.startsWith('|')) return readBlock(reader, text, parent);
  if (text.startsWith('{') || text.startsWith('[')) return readFlowLines(reader, text);
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
  let source = text;
  for (let last = reader.at; ; last++) {
    const flow = readFlow(source);
    if (flow !== undefined) {
      if (source.slice(flow.end).trim() !== '') throw UNUSUAL;
      reader.at = last + 1;
      return flow.value;
    }
    const next = reader.lines[last + 1];
    if (next === undefined || last - reader.at > LONGEST_FLOW) throw UNUSUAL;
    source += `\n${next.raw}`;
  }
}

/** Each line more is read from the start again. */
const LONGEST_FLOW = 100;

function readBlock(reader: Reader, header: string, parent: number): Json {
  if (header !== '|' && header !== '|-') throw UNUSUAL;
  reader.at++;
  const content: string[] = [];
  let indent = -1;
  for (; reader.at < reader.lines.length; reader.at++) {
    const raw = reader.lines[reader.at]?.raw ?? '';
    const own = raw.length - raw.trimStart().length;
    const blank = raw.trim() === '';
    if (!blank && own <= parent) break;
    if (indent < 0 && !blank) indent = own;
    // Leading blank lines and dedented ones have rules of their own.
    if (indent < 0 || (!blank && own < indent)) throw UNUSUAL;
    content.push(raw.slice(indent));
  }
  while (content.at(-1)?.trim() === '') {
    // Spaces beyond the indentation are content.
    if (content.at(-1) !== '') throw UNUSUAL;
    content.pop();
  }
  if (content.length === 0) throw UNUSUAL;
  return content.join('\n') + (header === '|' ? '\n' : '');
}
