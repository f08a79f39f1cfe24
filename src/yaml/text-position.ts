export interface TextPosition {
  /** In the file, from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where an offset of a text is; `firstLine` is the line of its file on which the text begins. */
export function positionAt(text: string, offset: number, firstLine: number): TextPosition {
  const before = text.slice(0, offset).split('\n');
  return { line: firstLine + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 };
}
