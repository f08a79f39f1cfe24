import type { Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { type Ownership, ownNothing } from './ownership.ts';

/** A place where the object already said something else, which stays. */
export interface Kept {
  readonly path: Pointer;
  readonly found: Json;
  readonly wanted: Json;
}

/** Where a walk is, and what it has found to do so far. */
export interface Sink {
  readonly way: Way;
  readonly operations: Operation[];
  readonly kept: Kept[];
  readonly own: Ownership;
}

export function newSink(own: Ownership = ownNothing()): Sink {
  return { way: { segments: [], text: '', depth: 0, list: '', end: '' }, operations: [], kept: [], own };
}

/** The path to where the walk is. Its text is made only for what is emitted. */
interface Way {
  readonly segments: (string | number)[];
  /** The pointer to the first `depth` segments, which are still those it was made of. */
  text: Pointer;
  depth: number;
  /** The list to which something was last appended, and the pointer to its end. */
  list: Pointer;
  end: Pointer;
}

export function enter({ way }: Sink, segment: string | number): void {
  way.segments.push(segment);
}

export function leave({ way }: Sink): void {
  way.segments.pop();
  if (way.depth > way.segments.length) {
    way.text = '';
    way.depth = 0;
  }
}

/** RFC 6901, of the place where the walk is. */
export function here({ way }: Sink): Pointer {
  const { segments } = way;
  if (way.depth === segments.length) return way.text;
  // Joined, not added up: that would make a rope, which whoever looks into it has to tie together first.
  const parts = [way.text];
  for (let at = way.depth; at < segments.length; at++) {
    const segment = segments[at] as string | number;
    parts.push(typeof segment === 'number' ? String(segment) : escapeSegment(segment));
  }
  way.text = parts.join('/');
  way.depth = segments.length;
  return way.text;
}

/** The pointer to a place in the list where the walk is. */
export function placeInList(sink: Sink, index: number, length: number): Pointer {
  const list = here(sink);
  if (index < length) return [list, index].join('/');
  const { way } = sink;
  if (way.list !== list) {
    way.list = list;
    way.end = [list, '-'].join('/');
  }
  return way.end;
}

/** Sets the place where the walk is; `found` tells whether the parent has that member already. */
export function emitSet(sink: Sink, found: Json | undefined, value: Json): void {
  sink.operations.push({ op: found === undefined ? 'add' : 'replace', path: here(sink), value });
}

export function emitRemove(sink: Sink): void {
  sink.operations.push({ op: 'remove', path: here(sink) });
}

export function emitKept(sink: Sink, found: Json, wanted: Json): void {
  sink.kept.push({ path: here(sink), found, wanted });
}
