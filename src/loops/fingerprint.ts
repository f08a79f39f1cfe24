import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer, parsePointer } from '../json/pointer.ts';

/**
 * The leaves of an object as hashes: path, value, path, value, and so on. It takes a fraction of the object's memory, and comparing two of
 * them a fraction of the time that parsing takes.
 */
export interface Fingerprint {
  readonly data: Uint32Array;
  readonly length: number;
}

/** The hash of a value that is not there. */
export const ABSENT = 0;

let scratch = new Uint32Array(4096);
let used = 0;

/** Valid until the next call: `keptFingerprint` makes a copy. */
export function fingerprintOf(object: JsonObject): Fingerprint {
  used = 0;
  addMembers(object, ROOT);
  return { data: scratch, length: used };
}

/** A copy, in the memory of an old one of the same length if there is one. */
export function keptFingerprint({ data, length }: Fingerprint, old?: Fingerprint): Fingerprint {
  if (old?.length !== length) return { data: data.slice(0, length), length };
  for (let at = 0; at < length; at++) old.data[at] = data[at] ?? 0;
  return old;
}

function push(path: number, value: number): void {
  if (used + 2 > scratch.length) {
    const larger = new Uint32Array(2 * scratch.length);
    larger.set(scratch);
    scratch = larger;
  }
  scratch[used++] = path;
  scratch[used++] = value;
}

function addMembers(object: JsonObject, parent: number): void {
  for (const key in object) {
    const path = combine(parent, textHash(key));
    if (!NOISE.has(path)) addValue(object[key] as Json, path);
  }
}

function addValue(value: Json, path: number): void {
  if (typeof value !== 'object' || value === null) {
    push(path, scalarHash(value));
  } else if (Array.isArray(value)) {
    if (value.length === 0) push(path, EMPTY_LIST);
    for (let index = 0; index < value.length; index++)
      addValue(value[index], combine(path, indexHash(index)));
  } else {
    const before = used;
    addMembers(value as JsonObject, path);
    if (used === before) push(path, EMPTY_MAP);
  }
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

export function pathHash(path: Pointer): number {
  return parsePointer(path).reduce((parent, segment) => combine(parent, textHash(segment)), ROOT);
}

/** The hash of any value. */
export function valueHash(value: Json | undefined): number {
  if (value === undefined) return ABSENT;
  if (typeof value !== 'object' || value === null) return scalarHash(value);
  if (Array.isArray(value) && value.length === 0) return EMPTY_LIST;
  if (isJsonObject(value) && Object.keys(value).length === 0) return EMPTY_MAP;
  return notZero(textHash(JSON.stringify(value)));
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

const ROOT = 0x811c9dc5;
const EMPTY_LIST = 2;
const EMPTY_MAP = 3;

function combine(parent: number, child: number): number {
  return (Math.imul(parent ^ child, 0x9e3779b1) ^ (child >>> 15)) >>> 0;
}

function scalarHash(value: null | boolean | number | string): number {
  if (typeof value === 'string') return notZero(textHash(value));
  if (typeof value === 'boolean') return value ? 4 : 5;
  if (value === null) return 6;
  return notZero(Number.isInteger(value) ? Math.imul(value | 0, 0x85ebca6b) ^ 7 : textHash(String(value)));
}

function notZero(hash: number): number {
  return hash >>> 0 || 1;
}

/** FNV-1a. */
function textHash(text: string): number {
  let hash = ROOT;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

const indexHashes = Array.from({ length: 64 }, (_, index) => textHash(String(index)));

function indexHash(index: number): number {
  return indexHashes[index] ?? textHash(String(index));
}

/** What changes with every write. */
const NOISE = new Set(
  [
    '/metadata/resourceVersion',
    '/metadata/generation',
    '/metadata/managedFields',
    '/status/observedGeneration',
  ].map(pathHash),
);
