import type { Json, JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { fieldShape, type Shape, type StructShape } from '../kube/shape.ts';
import { isAbsent, isForce, isTokens } from './directive.ts';
import { mergeField } from './merge-field.ts';
import { writableObject } from './ownership.ts';
import { emitKept, emitRemove, enter, leave, type Sink } from './sink.ts';

/** Merges field by field; returns the object itself where nothing changes. */
export function mergeObject(object: JsonObject, overlay: JsonObject, shape: Shape, sink: Sink): JsonObject {
  const target: Target = { object, written: undefined };
  // Plain data has no inherited members, and this makes no list of keys.
  for (const key in overlay) {
    if (key === '$at') continue;
    const wanted = overlay[key];
    if (wanted === undefined || wanted === null) continue;
    enter(sink, key);
    if (shape.type === 'struct' && shape.union?.has(key)) mergeUnionMember(target, key, wanted, shape, sink);
    else mergeMember(target, key, wanted, fieldShape(shape, key), sink);
    leave(sink);
  }
  return target.written ?? object;
}

interface Target {
  readonly object: JsonObject;
  /** What is written to, from the first change on. */
  written: Record<string, Json> | undefined;
}

function mergeMember(target: Target, key: string, wanted: Json, shape: Shape, sink: Sink): void {
  const found = member(target.written ?? target.object, key);
  const value = mergeField(found, wanted, shape, sink);
  if (value === found) return;
  target.written ??= writableObject(target.object, sink.own);
  if (value === undefined) delete target.written[key];
  else setMember(target.written, key, value);
}

/** One side of a union wins whole: the other is in the way, unless the overlay forces its own. */
function mergeUnionMember(target: Target, key: string, wanted: Json, shape: StructShape, sink: Sink): void {
  const current = target.written ?? target.object;
  const rival = rivalOf(current, key, shape);
  const isInTheWay = rival !== undefined || saysDefault(current, key, shape);
  if (isInTheWay && !isAbsent(wanted)) {
    if (rival !== undefined && isForce(wanted)) {
      removeRival(target, rival, key, sink);
      // Once more, should there be several rivals, which no valid object has.
      return mergeUnionMember(target, key, wanted, shape, sink);
    }
    const extendsDefault = rival === undefined && (isForce(wanted) || isTokens(wanted));
    if (!extendsDefault) {
      const found = rival === undefined ? shape.unionDefault?.value : member(current, rival);
      if (found !== wanted) emitKept(sink, found ?? null, wanted);
      return;
    }
  }
  mergeMember(target, key, wanted, fieldShape(shape, key), sink);
}

function rivalOf(object: JsonObject, key: string, shape: StructShape): string | undefined {
  for (const name in object) {
    if (name !== key && shape.union?.has(name) && (object[name] ?? null) !== null) return name;
  }
  return undefined;
}

/** An env entry without `value` and `valueFrom` has been set to the empty string, which the API server leaves out. */
function saysDefault(object: JsonObject, key: string, shape: StructShape): boolean {
  return shape.unionDefault !== undefined && (member(object, key) ?? null) === null;
}

/** Removes what stands in the way of `key`, at which the walk is. */
function removeRival(target: Target, rival: string, key: string, sink: Sink): void {
  leave(sink);
  enter(sink, rival);
  emitRemove(sink);
  leave(sink);
  enter(sink, key);
  target.written ??= writableObject(target.object, sink.own);
  delete target.written[rival];
}
