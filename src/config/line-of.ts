import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type Node } from 'yaml';

/** The line on which a path of a YAML document stands; that of the nearest parent where it does not. */
export function lineOf(document: Document, path: readonly (string | number)[], lines: LineCounter): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(segment),
      );
      if (!isPair(pair)) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = startOf(node) ?? offset;
    } else {
      break;
    }
  }
  return lines.linePos(offset).line;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
