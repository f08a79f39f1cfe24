import type { Json, JsonObject } from '../json/json.ts';
import { notesOn } from '../json/stable.ts';

/**
 * Which parts of an object may be written to where they are, because nobody else holds them. Several grafts in a row share
 * one. What is an operation's value is never ours: an overlay may give it again.
 */
export interface Ownership {
  readonly all: boolean;
  /** What is ours; where all is, what is not. Made for the first of them. */
  exceptions: Set<object> | undefined;
}

/** Somebody holds the object: ours is only what is copied on the way. */
export function ownNothing(): Ownership {
  return { all: false, exceptions: undefined };
}

/** The object was read for us alone. */
export function ownAll(): Ownership {
  return { all: true, exceptions: undefined };
}

/** Says of a value, and of all its parts, that it is somebody else's. A stable one tells by itself. */
export function bringIn(value: Json, own: Ownership): void {
  if (!own.all || typeof value !== 'object' || value === null) return;
  if (notesOn(value) !== undefined || own.exceptions?.has(value)) return;
  addException(value, own);
  for (const part of Object.values(value)) bringIn(part, own);
}

/** The object itself where it is ours, else a copy that is. */
export function writableObject(object: JsonObject, own: Ownership): Record<string, Json> {
  if (isOurs(object, own)) return object as Record<string, Json>;
  const copy = { ...object };
  if (!own.all) addException(copy, own);
  return copy;
}

export function writableList(list: readonly Json[], own: Ownership): Json[] {
  if (isOurs(list, own)) return list as Json[];
  const copy = list.slice();
  if (!own.all) addException(copy, own);
  return copy;
}

function isOurs(part: object, { all, exceptions }: Ownership): boolean {
  const isException = exceptions?.has(part) === true;
  return all ? !isException && notesOn(part) === undefined : isException;
}

function addException(part: object, own: Ownership): void {
  own.exceptions ??= new Set();
  own.exceptions.add(part);
}
