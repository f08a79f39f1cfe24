import { MOST_NESTED, tryParseJson } from '../json/try-parse-json.ts';
import type { Fingerprint } from './fingerprint.ts';
import {
  addToHash,
  combine,
  EMPTY_LIST,
  EMPTY_MAP,
  indexHash,
  notZero,
  pathHash,
  ROOT,
  scalarHash,
  textHash,
} from './leaf-hash.ts';

export interface ScannedObject {
  /** Valid until the next scan: `keptFingerprint` makes a copy. */
  readonly state: Fingerprint;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * Takes the fingerprint of an object from its JSON without parsing it, which takes several times as long and is rarely needed. Undefined
 * if the bytes are not exactly one object without spaces, as the API server writes it.
 */
export function scanObject(json: Buffer): ScannedObject | undefined {
  bytes = json;
  at = 0;
  used = 0;
  for (const span of SPANS) span.end = 0;
  if (bytes[0] !== OPEN_MAP || !scanValue(ROOT, 0) || at !== bytes.length) return undefined;
  return {
    state: { data: scratch, length: used },
    kind: spanText(KIND),
    namespace: spanText(NAMESPACE),
    name: spanText(NAME),
    uid: spanText(UID),
    resourceVersion: spanText(RESOURCE_VERSION),
  };
}

/** Where a string of the object is, with its quotes; its end is 0 if it was not found. */
interface Span {
  readonly path: number;
  start: number;
  end: number;
}

const spanOf = (path: string): Span => ({ path: pathHash(path), start: 0, end: 0 });
const KIND = spanOf('/kind');
const NAMESPACE = spanOf('/metadata/namespace');
const NAME = spanOf('/metadata/name');
const UID = spanOf('/metadata/uid');
const RESOURCE_VERSION = spanOf('/metadata/resourceVersion');
const SPANS = [KIND, NAMESPACE, NAME, UID, RESOURCE_VERSION];

/** What changes with every write. */
const NOISE = new Set(
  [
    '/metadata/resourceVersion',
    '/metadata/generation',
    '/metadata/managedFields',
    '/status/observedGeneration',
  ].map(pathHash),
);
/** No path of `SPANS` and `NOISE` has more members. */
const DEEPEST_NAMED = 2;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
/** Longer numbers are left to JSON.parse. */
const MOST_DIGITS = 9;

let bytes: Buffer;
let at = 0;
let scratch = new Uint32Array(4096);
let used = 0;

/** Each of these functions reads one part, moves `at` behind it, and returns whether it was valid. */
function scanValue(path: number, depth: number): boolean {
  const first = bytes[at];
  if (first === QUOTE) {
    if (!scanString()) return false;
    push(path, notZero(lastHash));
    return true;
  }
  if (first === OPEN_MAP) return depth < MOST_NESTED && scanMap(path, depth + 1);
  if (first === OPEN_LIST) return depth < MOST_NESTED && scanList(path, depth + 1);
  return scanLiteral(path);
}

function scanMap(path: number, depth: number): boolean {
  const before = used;
  at++;
  if (bytes[at] === CLOSE_MAP) at++;
  else {
    for (let next = COMMA; next !== CLOSE_MAP; next = bytes[at++] ?? 0) {
      if (next !== COMMA || bytes[at] !== QUOTE || !scanString() || bytes[at++] !== COLON) return false;
      const member = combine(path, lastHash);
      if (!(depth > DEEPEST_NAMED ? scanValue(member, depth) : scanNamed(member, depth))) return false;
    }
  }
  if (used === before) push(path, EMPTY_MAP);
  return true;
}

/** A member that may be of interest by itself, or noise. */
function scanNamed(path: number, depth: number): boolean {
  const [start, before] = [at, used];
  if (!scanValue(path, depth)) return false;
  for (const span of SPANS) {
    if (span.path !== path || bytes[start] !== QUOTE) continue;
    span.start = start;
    span.end = at;
  }
  if (NOISE.has(path)) used = before;
  return true;
}

function scanList(path: number, depth: number): boolean {
  at++;
  if (bytes[at] === CLOSE_LIST) {
    at++;
    push(path, EMPTY_LIST);
    return true;
  }
  let index = 0;
  for (let next = COMMA; next !== CLOSE_LIST; next = bytes[at++] ?? 0) {
    if (next !== COMMA || !scanValue(combine(path, indexHash(index++)), depth)) return false;
  }
  return true;
}

/** The hash of the string that `scanString` has read. */
let lastHash = 0;

function scanString(): boolean {
  // Local variables are faster, and this loop sees every character.
  const [json, start] = [bytes, at];
  let hash = ROOT;
  for (let index = start + 1; index < json.length; index++) {
    const byte = json[index] as number;
    if (byte === QUOTE) {
      at = index + 1;
      lastHash = hash;
      return true;
    }
    if (byte === BACKSLASH || byte > 0x7e || byte < 0x20) return scanEncoded(start, index);
    hash = addToHash(hash, byte);
  }
  return false;
}

/** A string whose characters are not its bytes. */
function scanEncoded(start: number, first: number): boolean {
  for (at = first; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  at++;
  const text = tryParseJson(bytes.toString('utf8', start, at));
  if (typeof text !== 'string') return false;
  lastHash = textHash(text);
  return true;
}

function scanLiteral(path: number): boolean {
  const start = at;
  let number = 0;
  for (; at - start < MOST_DIGITS && isDigit(bytes[at]); at++)
    number = 10 * number + (bytes[at] as number) - ZERO;
  if (at > start && isEnd(bytes[at])) {
    push(path, scalarHash(number));
    return true;
  }
  while (at < bytes.length && !isEnd(bytes[at])) at++;
  const value = tryParseJson(bytes.toString('latin1', start, at));
  if (typeof value !== 'number' && typeof value !== 'boolean' && value !== null) return false;
  push(path, scalarHash(value));
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_MAP || byte === CLOSE_LIST;
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

function spanText({ start, end }: Span): string {
  const text = end === 0 ? '' : tryParseJson(bytes.toString('utf8', start, end));
  return typeof text === 'string' ? text : '';
}
