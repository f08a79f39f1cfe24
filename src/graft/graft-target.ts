import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, withMember, withoutMember } from '../json/member.ts';
import { fieldShape, type Shape } from '../kube/shape.ts';
import { covers } from './covers.ts';
import type { Grafted } from './graft.ts';
import { reachList } from './reach-list.ts';
import { reachSet } from './reach-set.ts';
import { emitRemove, emitSet, enter, leave, newSink, type Sink } from './sink.ts';

/**
 * Turns one object into another by the shape's list keys, and says how as RFC 6902 operations. What the target shares
 * with the object (`===`) is not looked at, so that cost follows what changed. Where the object says the same as the
 * target in the API server's words (`1` for `1000m`), it stays as it is: the result says what the target says.
 */
export function graftTarget(object: JsonObject, target: JsonObject, shape: Shape): Grafted {
  const sink = newSink();
  const next = reachObject(object, target, shape, sink);
  return { object: next, patch: sink.operations, kept: sink.kept };
}

export function reachObject(found: JsonObject, target: JsonObject, shape: Shape, sink: Sink): JsonObject {
  if (found === target) return found;
  let next = found;
  // What goes, goes first: of a union's members there is never more than one.
  for (const key of Object.keys(found)) {
    if ((member(target, key) ?? null) !== null || saysNothing(found[key], key, target, shape)) continue;
    enter(sink, key);
    emitRemove(sink);
    leave(sink);
    next = withoutMember(next, key);
  }
  for (const key of Object.keys(target)) {
    const wanted = target[key];
    const value = member(next, key);
    if (wanted === undefined || wanted === null || wanted === value) continue;
    enter(sink, key);
    const reached = reachValue(value, wanted, fieldShape(shape, key), sink);
    leave(sink);
    if (reached !== undefined && reached !== value) next = withMember(next, key, reached);
  }
  return next;
}

export function reachValue(
  found: Json | undefined,
  target: Json,
  shape: Shape,
  sink: Sink,
): Json | undefined {
  if (found === target) return found;
  if (found === undefined || found === null) {
    if (shape.type === 'omitted' && target === shape.zero) return found;
    emitSet(sink, found, target);
    return target;
  }
  if (isJsonObject(found) && isJsonObject(target) && shape.type !== 'whole') {
    return reachObject(found, target, shape, sink);
  }
  if (isJsonArray(found) && isJsonArray(target)) {
    if (shape.type === 'list') return reachList(found, target, shape, sink);
    if (shape.type === 'set') return reachSet(found, target, shape.item, sink);
  }
  // A list item's defaults, a probe's: found may say more than the target, but not less.
  if (covers(found, target, shape)) return found;
  emitSet(sink, found, target);
  return target;
}

/**
 * Whether removing this would change nothing: the API server writes `resources: {}` itself, and a volume without a
 * source is an empty directory to it. Not so where another member of the union takes its place.
 */
function saysNothing(value: Json | undefined, key: string, target: JsonObject, shape: Shape): boolean {
  if (value === undefined || value === null) return true;
  const own = fieldShape(shape, key);
  if (own.type === 'omitted') return value === own.zero;
  if (shape.type !== 'struct' || !isJsonObject(value) || Object.keys(value).length > 0) return false;
  return !shape.union?.has(key) || !Object.keys(target).some((name) => shape.union?.has(name));
}
