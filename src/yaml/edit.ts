import type { PatchedTree } from './patch-tree.ts';
import type { Style } from './style.ts';
import type { YamlDocument, YamlNode } from './yaml-tree.ts';

/** A document, its patched tree, and how new text is formatted. */
export interface Edit extends YamlDocument, PatchedTree {
  readonly style: Style;
  /** The moved blocks and the last blocks in them: comments below them may belong to the entry that follows in the text. */
  readonly tails: ReadonlySet<YamlNode>;
  /** Changes to text that is reused, in the order of the text. */
  readonly replacements: readonly TextEdit[];
}

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A part of the document's text, with the replacements in it. */
export function sourceText({ text, replacements }: Edit, start: number, end: number): string {
  let result = '';
  let from = start;
  for (let index = firstIndexFrom(replacements, start); index < replacements.length; index += 1) {
    const replacement = replacements[index];
    if (replacement === undefined || replacement.end > end) break;
    result += text.slice(from, replacement.start) + replacement.text;
    from = replacement.end;
  }
  return result + text.slice(from, end);
}

/** The index of the first replacement that does not begin before an offset. */
function firstIndexFrom(replacements: readonly TextEdit[], offset: number): number {
  let low = 0;
  let high = replacements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replacements[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
