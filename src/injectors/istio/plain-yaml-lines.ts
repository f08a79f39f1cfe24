import type { Json } from '../../json/json.ts';

/** A line is cut out of the text when it is asked for: most are part of a block that was read before. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** How many spaces it starts with. */
  readonly own: number;
  /** How far its content is indented; -1 for blank lines and comments. */
  readonly indent: number;
  /** What stands behind a dash, where that is read as if it was a line. */
  readonly behindDash: string | undefined;
}

export interface Reader {
  readonly text: string;
  readonly lines: Line[];
  at: number;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    let content = start;
    while (content < end && text.charCodeAt(content) === SPACE) content++;
    const own = content - start;
    const isContent = content < end && text.charCodeAt(content) !== HASH;
    lines.push({ start, end, own, indent: isContent ? own : -1, behindDash: undefined });
    start = end + 1;
  }
  return lines;
}

const SPACE = 0x20;
const HASH = 0x23;

/** Without indentation and trailing spaces. */
export function textOf(reader: Reader, line: Line): string {
  return line.behindDash ?? reader.text.slice(line.start + line.own, contentEnd(reader, line));
}

/** Where in the text a line is over, but for trailing spaces. */
export function contentEnd({ text }: Reader, { start, end }: Line): number {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) === SPACE) last--;
  return last;
}

/** The next line with content. */
export function peek(reader: Reader): Line | undefined {
  while ((reader.lines[reader.at]?.indent ?? 0) < 0) reader.at++;
  return reader.lines[reader.at];
}

/** Longer ones are seldom the same, and looking them up means to look at all of them. */
const LONGEST = 1_600;
/** When there are more, all are forgotten: what is still in use is soon read again. */
const MOST = 1_000;
const memory = { item: new Map<string, Json>(), node: new Map<string, Json>() };

/**
 * Reads an item or what stands under a key: all that is indented further than `indent`. What one template renders to differs in a
 * few lines from Pod to Pod; blocks that were read before are taken from memory.
 */
export function remembered(
  kind: 'item' | 'node',
  reader: Reader,
  indent: number,
  read: (reader: Reader, indent: number) => Json,
): Json {
  const { text, lines, at } = reader;
  const { start, behindDash } = lines[at] as Line;
  // The text from there on does not tell how far it is indented.
  if (behindDash !== undefined) return read(reader, indent);
  const next = blockEnd(lines, at, indent);
  const end = lines[next]?.start ?? text.length;
  if (end - start > LONGEST) return read(reader, indent);
  const known = memory[kind];
  const block = text.slice(start, end);
  const found = known.get(block);
  if (found !== undefined) {
    reader.at = next;
    return found;
  }
  const value = read(reader, indent);
  peek(reader);
  // A flow collection may go on further to the left.
  if (reader.at !== next) return value;
  if (known.size >= MOST) known.clear();
  known.set(block, value);
  return value;
}

function blockEnd(lines: readonly Line[], at: number, indent: number): number {
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next] as Line;
    if (line.indent >= 0 && line.indent <= indent) return next;
  }
  return lines.length;
}
