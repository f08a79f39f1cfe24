import { isJsonObject, type Json } from '../json/json.ts';
import { type Pointer, parsePointer } from '../json/pointer.ts';

/** The hash of an absent value. */
export const ABSENT = 0;
/** The path of the object itself. */
export const ROOT = 0x811c9dc5;
export const EMPTY_LIST = 2;
export const EMPTY_MAP = 3;

/** The path of a member or an item of a path. */
export function combine(parent: number, child: number): number {
  return (Math.imul(parent ^ child, 0x9e3779b1) ^ (child >>> 15)) >>> 0;
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

export function scalarHash(value: null | boolean | number | string): number {
  if (typeof value === 'string') return notZero(textHash(value));
  if (typeof value === 'boolean') return value ? 4 : 5;
  if (value === null) return 6;
  return notZero(Number.isInteger(value) ? Math.imul(value | 0, 0x85ebca6b) ^ 7 : textHash(String(value)));
}

/** Never equal to `ABSENT`. */
export function notZero(hash: number): number {
  return hash >>> 0 || 1;
}

export function textHash(text: string): number {
  let hash = ROOT;
  for (let index = 0; index < text.length; index++) hash = addToHash(hash, text.charCodeAt(index));
  return hash;
}

/** FNV-1a, one character at a time. */
export function addToHash(hash: number, character: number): number {
  return Math.imul(hash ^ character, 0x01000193);
}

const indexHashes = Array.from({ length: 64 }, (_, index) => textHash(String(index)));

export function indexHash(index: number): number {
  return indexHashes[index] ?? textHash(String(index));
}
