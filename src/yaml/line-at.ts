import { type Pointer, parsePointer } from '../json/pointer.ts';
import { positionAt, type TextPosition } from './text-position.ts';
import { effectiveEntries, resolveAlias, type YamlDocument, type YamlNode } from './yaml-tree.ts';

/** The position of the value at a pointer, with its key; of the nearest value around it if there is none. */
export function lineAt(document: YamlDocument, pointer: Pointer): TextPosition {
  let node: YamlNode = document.root;
  let offset = node.start;
  for (const segment of parsePointer(pointer)) {
    const holder: YamlNode = resolveAlias(node);
    const entry =
      holder.kind === 'seq' ? holder.entries[Number(segment)] : effectiveEntries(holder).get(segment);
    if (entry === undefined) break;
    // An item starts at its dash, but its content is the better place to point at.
    offset = holder.kind === 'seq' ? entry.valueStart : entry.start;
    node = entry.node;
  }
  return positionAt(document.text, offset, document.line);
}
