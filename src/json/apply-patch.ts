import { PodgraftError } from '../podgraft-error.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import { copyOf, member, setMember } from './member.ts';
import type { Operation, Patch } from './operation.ts';
import { parsePointer } from './pointer.ts';

/** Applies a patch strictly by RFC 6902. The document is not modified: each part that changes is copied, once for all operations. */
export function applyPatch(document: Json, patch: Patch): Json {
  const copies: Copies = new WeakSet();
  return patch.reduce((current, operation) => applyOperation(current, operation, copies), document);
}

/** Objects and lists that were made here, which may be written to. */
type Copies = WeakSet<object>;

function applyOperation(document: Json, operation: Operation, copies: Copies): Json {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return put(document, parsePointer(operation.path), operation.value, operation, copies);
    case 'remove':
      return remove(document, parsePointer(operation.path), operation, copies);
    case 'move': {
      const from = parsePointer(operation.from);
      const value = valueAt(document, from, operation);
      const without = remove(document, from, operation, copies);
      return put(without, parsePointer(operation.path), value, { ...operation, op: 'add', value }, copies);
    }
  }
}

function put(node: Json, path: readonly string[], value: Json, operation: Operation, copies: Copies): Json {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (rest.length > 0)
    return inside(node, head, operation, copies, (child) => put(child, rest, value, operation, copies));
  const isAdding = operation.op === 'add';
  if (isJsonObject(node)) {
    if (!isAdding && member(node, head) === undefined) throw notThere(operation);
    const object = writableObject(node, copies);
    setMember(object, head, value);
    return object;
  }
  if (isJsonArray(node)) {
    const index = isAdding && head === '-' ? node.length : arrayIndex(head, operation);
    if (index > node.length - (isAdding ? 0 : 1)) throw notThere(operation);
    const list = writableList(node, copies);
    if (isAdding && index < list.length) list.splice(index, 0, value);
    else list[index] = value;
    return list;
  }
  throw notThere(operation);
}

function remove(node: Json, path: readonly string[], operation: Operation, copies: Copies): Json {
  const [head, ...rest] = path;
  if (head === undefined) throw notThere(operation);
  if (rest.length > 0)
    return inside(node, head, operation, copies, (child) => remove(child, rest, operation, copies));
  childOf(node, head, operation);
  if (isJsonArray(node)) {
    const list = writableList(node, copies);
    list.splice(arrayIndex(head, operation), 1);
    return list;
  }
  if (!isJsonObject(node)) return node;
  const object = writableObject(node, copies);
  delete object[head];
  return object;
}

function inside(
  node: Json,
  head: string,
  operation: Operation,
  copies: Copies,
  change: (child: Json) => Json,
): Json {
  const child = change(childOf(node, head, operation));
  if (isJsonArray(node)) {
    const list = writableList(node, copies);
    list[arrayIndex(head, operation)] = child;
    return list;
  }
  if (!isJsonObject(node)) return node;
  const object = writableObject(node, copies);
  setMember(object, head, child);
  return object;
}

function writableObject(node: JsonObject, copies: Copies): Record<string, Json> {
  if (copies.has(node)) return node as Record<string, Json>;
  const copy = copyOf(node);
  copies.add(copy);
  return copy;
}

function writableList(node: readonly Json[], copies: Copies): Json[] {
  if (copies.has(node)) return node as Json[];
  const copy = node.slice();
  copies.add(copy);
  return copy;
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
