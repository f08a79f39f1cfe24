import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer, parsePointer } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import type { AuditWrite } from './audit-write.ts';

/** The value that a request sets; undefined if absent. If the request does not set it, the stored value. */
export function requestedValue(write: AuditWrite, path: Pointer): Json | undefined {
  const [request, object] = [write.request(), write.object()];
  if (request === undefined) return valueAt(object, path);
  if (!write.isPatch) return valueAt(request, path);
  return isJsonArray(request) ? setByOperations(request, path, object) : setByMerge(request, path, object);
}

function setByOperations(patch: readonly Json[], path: Pointer, object: JsonObject): Json | undefined {
  const operation = patch.filter(isJsonObject).find((each) => each.path === path);
  if (operation === undefined) return valueAt(object, path);
  return operation.op === 'remove' ? undefined : operation.value;
}

function setByMerge(patch: Json, path: Pointer, object: JsonObject): Json | undefined {
  let node: Json | undefined = patch;
  for (const segment of parsePointer(path)) {
    // Such a patch removes a field by null.
    if (node === null) return undefined;
    if (!isJsonObject(node)) return valueAt(object, path);
    node = node[segment];
  }
  if (node === null) return undefined;
  return node === undefined ? valueAt(object, path) : node;
}

/** The field that an operation of a webhook is about: an item is about its list, and a map with one member about that member. */
export function patchedField(path: Pointer, object: JsonObject): Pointer {
  const list = path.replace(/\/(-|\d+)(\/.*)?$/, '');
  if (list !== path && isJsonArray(valueAt(object, list))) return list;
  const value = valueAt(object, path);
  const [only, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  const isOne = only !== undefined && others.length === 0;
  return isOne ? `${path}/${escapeSegment(only)}` : path;
}
