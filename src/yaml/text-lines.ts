/** The offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset at which the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  if (newline === -1) return text.length;
  return newline > offset && text[newline - 1] === '\r' ? newline - 1 : newline;
}

/** The offset of the next line; the length of the text on its last line. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
}

/** The indentation of the line of an offset, at most up to the offset. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Whether only indentation precedes the offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).replace('\uFEFF', '').trim() === '';
}

/** The end of the lines of an entry, including the comment lines below it that are indented further than its column. */
export function entryLinesEnd(text: string, contentEnd: number, column: number): number {
  let end = lineEnd(text, contentEnd);
  for (let line = nextLine(text, end); line < text.length; line = nextLine(text, line)) {
    const content = text.slice(line, lineEnd(text, line));
    const indent = content.length - content.trimStart().length;
    if (content.trim() === '') continue;
    if (content[indent] !== '#' || indent <= column) break;
    end = line + content.length;
  }
  return end;
}
