import type { Json, JsonObject } from '../json/json.ts';
import { notesOn } from '../json/stable.ts';

/**
 * Which parts of an object may be written to where they are, because nobody else holds them. Several grafts in a row share
 * one. What is an operation's value is never ours: an overlay may give it again.
 */
export interface Ownership {
  /** All but what is stable. */
  readonly all: boolean;
  /** Where not all is ours: what was copied on the way. Made for the first of them. */
  copies: Set<object> | undefined;
}

/** Somebody holds the object: ours is only what is copied on the way. */
export function ownNothing(): Ownership {
  return { all: false, copies: undefined };
}

/** The object was read for us alone, and nothing but stable values comes into it. */
export function ownAll(): Ownership {
  return { all: true, copies: undefined };
}

/** The object itself where it is ours, else a copy that is. */
export function writableObject(object: JsonObject, own: Ownership): Record<string, Json> {
  if (isOurs(object, own)) return object as Record<string, Json>;
  const copy = { ...object };
  ownCopy(copy, own);
  return copy;
}

export function writableList(list: readonly Json[], own: Ownership): Json[] {
  if (isOurs(list, own)) return list as Json[];
  const copy = list.slice();
  ownCopy(copy, own);
  return copy;
}

function isOurs(part: object, { all, copies }: Ownership): boolean {
  return all ? notesOn(part) === undefined : copies?.has(part) === true;
}

function ownCopy(copy: object, own: Ownership): void {
  if (own.all) return;
  own.copies ??= new Set();
  own.copies.add(copy);
}
