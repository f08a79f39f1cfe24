import type { Json, JsonObject } from '../json/json.ts';
import { member, withMember, withoutMember } from '../json/member.ts';
import { fieldShape, type Shape, type StructShape } from '../kube/shape.ts';
import { isAbsent, isForce, isTokens } from './directive.ts';
import { mergeField } from './merge-field.ts';
import { emitKept, emitRemove, type Sink } from './sink.ts';

/** Merges field by field; returns the object itself where nothing changes. */
export function mergeObject(object: JsonObject, overlay: JsonObject, shape: Shape, sink: Sink): JsonObject {
  let next = object;
  for (const key of Object.keys(overlay)) {
    if (key === '$at') continue;
    const wanted = overlay[key];
    if (wanted === undefined || wanted === null) continue;
    sink.path.push(key);
    if (shape.type === 'struct' && shape.union?.has(key)) {
      next = mergeUnionMember(next, key, wanted, shape, sink);
    } else {
      next = mergeMember(next, key, wanted, fieldShape(shape, key), sink);
    }
    sink.path.pop();
  }
  return next;
}

function mergeMember(object: JsonObject, key: string, wanted: Json, shape: Shape, sink: Sink): JsonObject {
  const found = member(object, key);
  const value = mergeField(found, wanted, shape, sink);
  if (value === found) return object;
  return value === undefined ? withoutMember(object, key) : withMember(object, key, value);
}

/** One side of a union wins whole: the other is in the way, unless the overlay forces its own. */
function mergeUnionMember(
  object: JsonObject,
  key: string,
  wanted: Json,
  shape: StructShape,
  sink: Sink,
): JsonObject {
  const rival = rivalOf(object, key, shape);
  if (isAbsent(wanted) || (rival === undefined && !saysDefault(object, key, shape))) {
    return mergeMember(object, key, wanted, fieldShape(shape, key), sink);
  }
  if (isForce(wanted) || (rival === undefined && isTokens(wanted))) {
    if (rival === undefined) return mergeMember(object, key, wanted, fieldShape(shape, key), sink);
    // One after the other, should there be several, which no valid object has.
    return mergeUnionMember(removeMember(object, rival, sink), key, wanted, shape, sink);
  }
  const found = rival === undefined ? shape.unionDefault?.value : member(object, rival);
  if (found !== wanted) emitKept(sink, found ?? null, wanted);
  return object;
}

function rivalOf(object: JsonObject, key: string, shape: StructShape): string | undefined {
  for (const name of Object.keys(object)) {
    if (name !== key && shape.union?.has(name) && (object[name] ?? null) !== null) return name;
  }
  return undefined;
}

/** An env entry without `value` and `valueFrom` has been set to the empty string, which the API server leaves out. */
function saysDefault(object: JsonObject, key: string, shape: StructShape): boolean {
  return shape.unionDefault !== undefined && (member(object, key) ?? null) === null;
}

function removeMember(object: JsonObject, key: string, sink: Sink): JsonObject {
  const own = sink.path.pop();
  sink.path.push(key);
  emitRemove(sink);
  sink.path.pop();
  if (own !== undefined) sink.path.push(own);
  return withoutMember(object, key);
}
