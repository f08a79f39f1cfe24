import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { member } from '../json/member.ts';
import { escapeSegment, type Pointer, parsePointer } from '../json/pointer.ts';

/** A path as people read it: items with a name are shown by their name instead of their index, as in `/spec/containers[web]/env`. */
export function namedPath(document: Json, path: Pointer): string {
  let node: Json | undefined = document;
  let text = '';
  for (const segment of parsePointer(path)) {
    const isItem = isJsonArray(node);
    node = isJsonArray(node)
      ? node[segment === '-' ? node.length - 1 : Number(segment)]
      : isJsonObject(node)
        ? member(node, segment)
        : undefined;
    const name = isItem && isJsonObject(node) ? node.name : undefined;
    text += typeof name === 'string' ? `[${name}]` : `/${escapeSegment(segment)}`;
  }
  return text;
}
