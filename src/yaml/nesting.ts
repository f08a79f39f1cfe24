import type { CST } from 'yaml';
import type { Json } from '../json/json.ts';

/**
 * Collections in collections, at most. Far more than anyone writes, and far less than what exhausts the stack: there,
 * V8 may end the process instead of throwing (a RegExp that is compiled on the last of the stack is "out of memory").
 */
const MAX_DEPTH = 500;

export function isJsonTooDeep(value: Json): boolean {
  return isTooDeep<Json>(value, (node) =>
    typeof node === 'object' && node !== null ? Object.values(node) : undefined,
  );
}

export function isSyntaxTooDeep(token: CST.Token): boolean {
  return isTooDeep<CST.Token>(token, (node) => {
    if (node.type === 'document') return node.value === undefined ? undefined : [node.value];
    if (!('items' in node)) return undefined;
    return node.items.flatMap(({ key, value }) => [...(key ? [key] : []), ...(value ? [value] : [])]);
  });
}

function isTooDeep<T>(root: T, childrenOf: (node: T) => readonly T[] | undefined): boolean {
  const stack: { node: T; depth: number }[] = [{ node: root, depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const children = childrenOf(top.node);
    if (children === undefined) continue;
    const depth = top.depth + 1;
    if (depth > MAX_DEPTH) return true;
    for (const node of children) stack.push({ node, depth });
  }
  return false;
}
