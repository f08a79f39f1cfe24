import { PodgraftError } from '../podgraft-error.ts';
import { isJsonArray, isJsonObject, type Json } from './json.ts';
import { member, withMember, withoutMember } from './member.ts';
import type { Operation, Patch } from './operation.ts';
import { parsePointer } from './pointer.ts';

/** Applies a patch strictly by RFC 6902. The document is not modified. */
export function applyPatch(document: Json, patch: Patch): Json {
  return patch.reduce(applyOperation, document);
}

function applyOperation(document: Json, operation: Operation): Json {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return put(document, parsePointer(operation.path), operation.value, operation);
    case 'remove':
      return remove(document, parsePointer(operation.path), operation);
    case 'move': {
      const from = parsePointer(operation.from);
      const value = valueAt(document, from, operation);
      const without = remove(document, from, operation);
      return put(without, parsePointer(operation.path), value, { ...operation, op: 'add', value });
    }
  }
}

function put(node: Json, path: readonly string[], value: Json, operation: Operation): Json {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (rest.length > 0) return inside(node, head, operation, (child) => put(child, rest, value, operation));
  if (isJsonObject(node)) {
    if (operation.op === 'replace' && member(node, head) === undefined) throw notThere(operation);
    return withMember(node, head, value);
  }
  if (isJsonArray(node)) {
    const adding = operation.op === 'add';
    const index = adding && head === '-' ? node.length : arrayIndex(head, operation);
    if (index > node.length - (adding ? 0 : 1)) throw notThere(operation);
    return node.toSpliced(index, adding ? 0 : 1, value);
  }
  throw notThere(operation);
}

function remove(node: Json, path: readonly string[], operation: Operation): Json {
  const [head, ...rest] = path;
  if (head === undefined) throw notThere(operation);
  if (rest.length > 0) return inside(node, head, operation, (child) => remove(child, rest, operation));
  childOf(node, head, operation);
  return isJsonArray(node)
    ? node.toSpliced(arrayIndex(head, operation), 1)
    : isJsonObject(node)
      ? withoutMember(node, head)
      : node;
}

function inside(node: Json, head: string, operation: Operation, change: (child: Json) => Json): Json {
  const child = change(childOf(node, head, operation));
  if (isJsonArray(node)) return node.with(arrayIndex(head, operation), child);
  return isJsonObject(node) ? withMember(node, head, child) : node;
}

function valueAt(document: Json, path: readonly string[], operation: Operation): Json {
  return path.reduce((node, segment) => childOf(node, segment, operation), document);
}

function childOf(node: Json, segment: string, operation: Operation): Json {
  const child = isJsonArray(node)
    ? node[arrayIndex(segment, operation)]
    : isJsonObject(node)
      ? member(node, segment)
      : undefined;
  if (child === undefined) throw notThere(operation);
  return child;
}

function arrayIndex(segment: string, operation: Operation): number {
  if (!/^(0|[1-9][0-9]*)$/.test(segment)) throw notThere(operation);
  return Number(segment);
}

function notThere(operation: Operation): PodgraftError {
  const path = operation.op === 'move' ? `${operation.from}" to "${operation.path}` : operation.path;
  return new PodgraftError('PATCH_INVALID', `Cannot ${operation.op} "${path}": path not found`);
}
