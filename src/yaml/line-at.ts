import { type Pointer, parsePointer } from '../json/pointer.ts';
import { effectiveEntries, resolveAlias, type YamlDocument, type YamlNode } from './yaml-tree.ts';

export interface TextPosition {
  /** In the file, from 1. */
  readonly line: number;
  readonly column: number;
}

/** The position of the value at a pointer, with its key; of the nearest value around it if there is none. */
export function lineAt(document: YamlDocument, pointer: Pointer): TextPosition {
  let node: YamlNode = document.root;
  let offset = node.start;
  for (const segment of parsePointer(pointer)) {
    const holder: YamlNode = resolveAlias(node);
    const entry =
      holder.kind === 'seq' ? holder.entries[Number(segment)] : effectiveEntries(holder).get(segment);
    if (entry === undefined) break;
    // The start of an item is its dash; its content is where the eye goes.
    offset = holder.kind === 'seq' ? entry.valueStart : entry.start;
    node = entry.node;
  }
  const before = document.text.slice(0, offset).split('\n');
  return { line: document.line + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 };
}
