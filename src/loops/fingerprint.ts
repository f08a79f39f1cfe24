import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { ABSENT, combine, indexHash, ROOT, textHash } from './leaf-hash.ts';

/**
 * The leaves of an object as hashes: path, value, path, value, and so on. It takes a fraction of the object's memory, and comparing two of
 * them a fraction of the time that parsing takes.
 */
export interface Fingerprint {
  readonly data: Uint32Array;
  readonly length: number;
}

/** A copy, in the memory of an old one of the same length if there is one. */
export function keptFingerprint({ data, length }: Fingerprint, old?: Fingerprint): Fingerprint {
  if (old?.length !== length) return { data: data.slice(0, length), length };
  for (let at = 0; at < length; at++) old.data[at] = data[at] ?? 0;
  return old;
}

export interface ChangedLeaf {
  readonly path: number;
  /** Hashes of values. */
  readonly before: number;
  readonly after: number;
}

/** The leaves in which two states of an object differ. */
export function changedLeaves(before: Fingerprint, after: Fingerprint): ChangedLeaf[] {
  const changes: ChangedLeaf[] = [];
  const [old, now] = [before.data, after.data];
  if (!hasSamePaths(before, after)) return changedPaths(before, after);
  for (let at = 0; at < after.length; at += 2) {
    const [one = 0, other = 0] = [old[at + 1], now[at + 1]];
    if (one !== other) changes.push({ path: now[at] ?? 0, before: one, after: other });
  }
  return changes;
}

function hasSamePaths(one: Fingerprint, other: Fingerprint): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 2) if (one.data[at] !== other.data[at]) return false;
  return true;
}

function changedPaths(before: Fingerprint, after: Fingerprint): ChangedLeaf[] {
  const changes: ChangedLeaf[] = [];
  const old = new Map<number, number>();
  for (let at = 0; at < before.length; at += 2) old.set(before.data[at] ?? 0, before.data[at + 1] ?? 0);
  for (let at = 0; at < after.length; at += 2) {
    const [path = 0, value = 0] = [after.data[at], after.data[at + 1]];
    const previous = old.get(path) ?? ABSENT;
    old.delete(path);
    if (previous !== value) changes.push({ path, before: previous, after: value });
  }
  for (const [path, value] of old) changes.push({ path, before: value, after: ABSENT });
  return changes;
}

/** The value of a leaf; `ABSENT` if there is none. */
export function leafHash({ data, length }: Fingerprint, path: number): number {
  for (let at = 0; at < length; at += 2) if (data[at] === path) return data[at + 1] ?? ABSENT;
  return ABSENT;
}

/** The leaves of an object that have these hashes as paths. */
export function findLeaves(
  object: JsonObject,
  wanted: ReadonlySet<number>,
  found: (hash: number, path: Pointer) => void,
): void {
  const visit = (value: Json, hash: number, path: Pointer): void => {
    if (wanted.has(hash)) found(hash, path);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++)
        visit(value[index], combine(hash, indexHash(index)), `${path}/${index}`);
    } else if (isJsonObject(value)) {
      for (const key in value)
        visit(value[key] as Json, combine(hash, textHash(key)), `${path}/${escapeSegment(key)}`);
    }
  };
  visit(object, ROOT, '');
}
