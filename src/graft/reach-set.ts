import type { Json } from '../json/json.ts';
import type { Shape } from '../kube/shape.ts';
import { covers } from './covers.ts';
import { insertItem } from './list-edit.ts';
import { emitSet, type Sink } from './sink.ts';

/** A list without keys is compared place by place: one that only grows is added to, any other is set anew. */
export function reachSet(
  found: readonly Json[],
  target: readonly Json[],
  item: Shape,
  sink: Sink,
): readonly Json[] {
  if (target.length < found.length || !found.every((value, at) => covers(value, target[at] as Json, item))) {
    emitSet(sink, found, target);
    return target;
  }
  let next = found;
  for (const value of target.slice(found.length)) next = insertItem(next, next.length, value, sink);
  return next;
}
