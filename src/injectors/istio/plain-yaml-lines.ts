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

/** The lines that make up one value, such as `"x"` in `- name: "x"`, a literal block, or a flow collection. */
export interface Part {
  readonly first: number;
  readonly last: number;
  /** Where in its first line the value starts. */
  readonly column: number;
  /** How far the collection that holds it is indented. */
  readonly parent: number;
  readonly path: readonly (string | number)[];
}

export interface Reader {
  readonly text: string;
  readonly lines: Line[];
  at: number;
  /** Where in the document the reader is. */
  readonly path: (string | number)[];
  /** For each line the value that it is a part of, where somebody wants to know. */
  readonly parts: (Part | undefined)[] | undefined;
}

export function readerOf(text: string, parts?: (Part | undefined)[]): Reader {
  return { text, lines: linesOf(text), at: 0, path: [], parts };
}

function linesOf(text: string): Line[] {
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
