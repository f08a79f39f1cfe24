import type { Json } from '../json/json.ts';
import type { Shape } from '../kube/shape.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { covers } from './covers.ts';
import { atOf, isAbsent } from './directive.ts';
import { insertItem, removeItems } from './list-edit.ts';
import { plain } from './plain.ts';
import { here, type Sink } from './sink.ts';

/** Adds what no item of the list covers yet. */
export function mergeSet(
  found: readonly Json[],
  wanted: readonly Json[],
  item: Shape,
  sink: Sink,
): readonly Json[] {
  let next = found;
  let firsts = 0;
  for (const want of wanted) {
    if (want === null) continue;
    if (isAbsent(want)) {
      next = removeItems(next, (value) => covers(value, want.$absent, item), sink);
      continue;
    }
    const value = plain(want, item);
    if (value === undefined || next.some((existing) => covers(existing, value, item))) continue;
    next = insertItem(next, place(want, sink) === 'first' ? firsts++ : next.length, value, sink);
  }
  return next;
}

function place(want: Json, sink: Sink): 'first' | 'last' {
  const at = atOf(want) ?? 'last';
  if (at === 'first' || at === 'last') return at;
  throw new PodgraftError(
    'OVERLAY_INVALID',
    `Cannot merge overlay at "${here(sink)}": a list without keys takes "$at: first" or "$at: last" only`,
  );
}
