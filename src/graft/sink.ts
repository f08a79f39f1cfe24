import type { Json, JsonObject } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { type Pointer, pointer } from '../json/pointer.ts';

/** A place where the object already said something else, which stays. */
export interface Kept {
  readonly path: Pointer;
  readonly found: Json;
  readonly wanted: Json;
}

/** Where a walk is, and what it has found to do so far. The path is a stack: text is made only for what is emitted. */
export interface Sink {
  readonly path: (string | number)[];
  readonly operations: Operation[];
  readonly kept: Kept[];
  readonly copies: Copies;
}

/**
 * Objects and lists that were copied on the way and that nobody else holds: the next change to one of them needs no copy.
 * Several grafts in a row may share them; what is an operation's value is never among them.
 */
export type Copies = Set<object>;

export function newSink(copies: Copies = new Set()): Sink {
  return { path: [], operations: [], kept: [], copies };
}

/** The object itself where it is a copy of ours, else a new copy: what may be written to. */
export function writableObject(object: JsonObject, { copies }: Sink): Record<string, Json> {
  if (copies.has(object)) return object as Record<string, Json>;
  const copy = { ...object };
  copies.add(copy);
  return copy;
}

export function writableList(list: readonly Json[], { copies }: Sink): Json[] {
  if (copies.has(list)) return list as Json[];
  const copy = list.slice();
  copies.add(copy);
  return copy;
}

/** Sets the place where the walk is; `found` tells whether the parent has that member already. */
export function emitSet(sink: Sink, found: Json | undefined, value: Json): void {
  sink.operations.push({ op: found === undefined ? 'add' : 'replace', path: pointer(sink.path), value });
}

export function emitRemove(sink: Sink): void {
  sink.operations.push({ op: 'remove', path: pointer(sink.path) });
}

export function emitKept(sink: Sink, found: Json, wanted: Json): void {
  sink.kept.push({ path: pointer(sink.path), found, wanted });
}
