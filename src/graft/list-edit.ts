import type { Json } from '../json/json.ts';
import { writableList } from './ownership.ts';
import { emitRemove, enter, here, leave, placeInList, type Sink } from './sink.ts';

export function insertItem(list: readonly Json[], index: number, value: Json, sink: Sink): readonly Json[] {
  sink.operations.push({ op: 'add', path: placeInList(sink, index, list.length), value });
  const next = writableList(list, sink.own);
  if (index === next.length) next.push(value);
  else next.splice(index, 0, value);
  return next;
}

/** From the end, so that indices still to come stay right. */
export function removeItems(
  list: readonly Json[],
  doomed: (item: Json) => boolean,
  sink: Sink,
): readonly Json[] {
  let next = list;
  for (let index = list.length - 1; index >= 0; index--) {
    if (!doomed(next[index] as Json)) continue;
    enter(sink, index);
    emitRemove(sink);
    leave(sink);
    const rest = writableList(next, sink.own);
    rest.splice(index, 1);
    next = rest;
  }
  return next;
}

/** `to` is the index in the list without the item, as RFC 6902 has it. */
export function moveItem(list: readonly Json[], from: number, to: number, sink: Sink): readonly Json[] {
  if (from === to) return list;
  const path = here(sink);
  sink.operations.push({ op: 'move', from: `${path}/${from}`, path: `${path}/${to}` });
  const next = writableList(list, sink.own);
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
