import type { Json } from '../json/json.ts';
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
}

export function newSink(): Sink {
  return { path: [], operations: [], kept: [] };
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
