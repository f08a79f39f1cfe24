import { isJsonArray, isJsonObject, type Json } from './json.ts';
import { member } from './member.ts';
import { type Pointer, parsePointer } from './pointer.ts';

/** The value at a pointer; undefined if there is none. */
export function valueAt(document: Json, pointer: Pointer): Json | undefined {
  let node: Json | undefined = document;
  for (const segment of parsePointer(pointer)) {
    if (isJsonObject(node)) node = member(node, segment);
    else if (isJsonArray(node)) node = /^\d+$/.test(segment) ? node[Number(segment)] : undefined;
    else return undefined;
  }
  return node;
}
