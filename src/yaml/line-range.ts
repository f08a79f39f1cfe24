import { type Pointer, parsePointer } from '../json/pointer.ts';
import { positionAt } from './text-position.ts';
import { effectiveEntries, resolveAlias, type YamlDocument, type YamlNode } from './yaml-tree.ts';

/** The first and last line of the value at a pointer, with its key or dash, from 1; undefined if there is no such value. */
export function lineRange(
  document: YamlDocument,
  pointer: Pointer,
): readonly [first: number, last: number] | undefined {
  let node: YamlNode = document.root;
  let { start, end } = node;
  for (const segment of parsePointer(pointer)) {
    const holder: YamlNode = resolveAlias(node);
    const entry =
      holder.kind === 'seq' ? holder.entries[Number(segment)] : effectiveEntries(holder).get(segment);
    if (entry === undefined) return undefined;
    ({ start, end, node } = entry);
  }
  const lineOf = (offset: number) => positionAt(document.text, offset, document.line).line;
  // The end of a block scalar is the start of the next line.
  const last = document.text[end - 1] === '\n' && end > start ? end - 1 : end;
  return [lineOf(start), lineOf(last)];
}
