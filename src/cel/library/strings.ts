import { compareStrings } from '../../golang/utf8.ts';
import { CelError } from '../cel-error.ts';
import { spendWork } from '../work.ts';
import { codePointIndex, textSize, unitOffset, unitsAt } from './code-points.ts';
import { findLastText, findText } from './find-text.ts';
import { checkTextLength } from './text-limit.ts';

/** An int of CEL. */
type Int = number | bigint;

/** Orders by code point: negative, zero or positive. */
export const compareText = compareStrings;

export function charAt(text: string, index: Int): string {
  const at = offsetOf(text, index);
  return text.slice(at, at + unitsAt(text, at));
}

/** An empty part is found at the offset, even outside the text. */
export function indexOf(text: string, part: string, offset: Int = 0): Int {
  if (part === '') return offset;
  if (offset < 0) throw outOfRange(offset);
  const from = unitOffset(text, offset);
  if (from === undefined) return -1;
  return indexAt(text, findText(text, part, from));
}

/** The last occurrence that starts at the offset or before. Offsets from the size on find nothing. */
export function lastIndexOf(text: string, part: string, offset?: Int): Int {
  if (part === '') return offset ?? textSize(text);
  if (offset === undefined) return indexAt(text, findLastText(text, part, text.length));
  if (offset < 0) throw outOfRange(offset);
  const from = unitOffset(text, offset);
  if (from === undefined || from === text.length) return -1;
  return indexAt(text, findLastText(text, part, from));
}

export function substring(text: string, start: Int, end?: Int): string {
  if (end === undefined) return text.slice(offsetOf(text, start));
  if (start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return text.slice(offsetOf(text, start), offsetOf(text, end));
}

/** Replaces the first occurrences; all of them if the limit is negative. An empty part is found before each code point and at the end. */
export function replaceText(text: string, part: string, by: string, limit: Int = -1): string {
  const pieces = piecesOf(text, part, limit < 0 ? Number.POSITIVE_INFINITY : Number(limit));
  const length = text.length + (pieces.length - 1) * (by.length - part.length);
  checkTextLength(length);
  spendWork(length / 4);
  return pieces.join(by);
}

/** Splits into at most `limit` parts; all of them if it is negative. An empty separator splits after each code point. */
export function splitText(text: string, separator: string, limit: Int = -1): string[] {
  if (Number(limit) === 0) return [];
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  return separator === '' ? codePoints(text, most) : piecesOf(text, separator, most - 1);
}

/** Go's white space: Unicode's White_Space, which has U+0085 and not U+FEFF, unlike JavaScript's `trim`. */
export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function joinTexts(texts: readonly string[], separator = ''): string {
  let length = Math.max(texts.length - 1, 0) * separator.length;
  for (const text of texts) length += text.length;
  checkTextLength(length);
  spendWork(length / 4);
  return texts.join(separator);
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** strings.quote: escapes only what has a short escape. */
export function quoteText(text: string): string {
  return `"${text.replace(QUOTED, (char) => ESCAPES[char] ?? char)}"`;
}

/** Including the time that it takes to free them. */
const PIECE_WORK = 10;

/** The pieces around the first `limit` occurrences of the part. */
function piecesOf(text: string, part: string, limit: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let from = 0;
  while (pieces.length < limit) {
    spendWork(PIECE_WORK);
    const at = part === '' && from > text.length ? -1 : findText(text, part, from);
    if (at < 0) break;
    pieces.push(text.slice(start, at));
    start = at + part.length;
    from = part === '' ? at + unitsAt(text, at) : start;
  }
  pieces.push(text.slice(start));
  return pieces;
}

function codePoints(text: string, most: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length && parts.length < most - 1) {
    spendWork(PIECE_WORK);
    const end = at + unitsAt(text, at);
    parts.push(text.slice(at, end));
    at = end;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function offsetOf(text: string, index: Int): number {
  const offset = unitOffset(text, index);
  if (offset === undefined) throw outOfRange(index);
  return offset;
}

function indexAt(text: string, offset: number): number {
  return offset < 0 ? -1 : codePointIndex(text, offset);
}

function outOfRange(index: Int): CelError {
  return new CelError(`index out of range: ${index}`);
}

function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    OTHER_SPACES.has(unit)
  );
}

const OTHER_SPACES: ReadonlySet<number> = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these have short escapes
const QUOTED = /[\x07-\r"\\]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
