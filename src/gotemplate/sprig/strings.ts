import { quote } from '../../golang/strconv.ts';
import { byteLength, byteSlice, compareStrings } from '../../golang/utf8.ts';
import { itemsOf } from '../containers.ts';
import { type FunctionMap, func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import { printOne } from '../print.ts';
import { GoMap, type Int, Slice, type Value } from '../values.ts';
import { strval } from './cast.ts';

/** Sprig's functions on strings. Most take the string last, for use in pipelines. */
export const STRINGS: FunctionMap = {
  trim: func('func(string) string', (text: string) => trimSpace(text)),
  upper: func('func(string) string', (text: string) => mapChars(text, (char) => char.toUpperCase())),
  lower: func('func(string) string', (text: string) => mapChars(text, (char) => char.toLowerCase())),
  title: func('func(string) string', title),
  untitle: func('func(string) string', (text: string) =>
    text.replace(/(^|\s)(\S)/gu, (_, space: string, char: string) => space + char.toLowerCase()),
  ),
  swapcase: func('func(string) string', swapCase),
  trunc: func('func(int, string) string', (count: Int, text: string) => truncate(Number(count.value), text)),
  substr: func('func(int, int, string) string', substring),
  repeat: metered('func(int, string) string', (meter, count: Int, text: string) =>
    repeat(meter, count, text),
  ),
  trimAll: func('func(string, string) string', trimAll),
  trimall: func('func(string, string) string', trimAll),
  trimPrefix: func('func(string, string) string', (prefix: string, text: string) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trimSuffix: func('func(string, string) string', (suffix: string, text: string) =>
    suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  nospace: func('func(string) string', (text: string) => text.replace(/[\s\u0085]/gu, '')),
  initials: func('func(string) string', (text: string) =>
    [...text.matchAll(/(?:^|\s)(\S)/gu)].map((match) => match[1]).join(''),
  ),
  abbrev: func('func(int, string) string', (width: Int, text: string) =>
    abbreviate(text, 0, Number(width.value)),
  ),
  abbrevboth: func('func(int, int, string) string', (left: Int, right: Int, text: string) =>
    abbreviate(text, Number(left.value), Number(right.value)),
  ),
  contains: func('func(string, string) bool', (part: string, text: string) => text.includes(part)),
  hasPrefix: func('func(string, string) bool', (part: string, text: string) => text.startsWith(part)),
  hasSuffix: func('func(string, string) bool', (part: string, text: string) => text.endsWith(part)),
  quote: metered('func(...interface {}) string', (meter, ...args: Value[]) =>
    joinSet(args, (arg) => quote(strval(arg, meter))),
  ),
  squote: metered('func(...interface {}) string', (meter, ...args: Value[]) =>
    joinSet(args, (arg) => `'${printOne(arg, meter)}'`),
  ),
  cat: metered('func(...interface {}) string', (meter, ...args: Value[]) =>
    joinSet(args, (arg) => printOne(arg, meter)),
  ),
  indent: metered('func(int, string) string', indent),
  nindent: metered(
    'func(int, string) string',
    (meter, count: Int, text: string) => `\n${indent(meter, count, text)}`,
  ),
  replace: metered('func(string, string, string) string', replace),
  plural: func('func(string, string, int) string', (one: string, many: string, count: Int) =>
    count.value === 1n ? one : many,
  ),
  toString: metered('func(interface {}) string', (meter, value: Value) => strval(value, meter)),
  join: metered('func(string, interface {}) string', join),
  toStrings: metered(
    'func(interface {}) []string',
    (meter, list: Value) => new Slice('string', toStrings(list, meter)),
  ),
  sortAlpha: metered(
    'func(interface {}) []string',
    (meter, list: Value) => new Slice('string', toStrings(list, meter).sort(compareStrings)),
  ),
  split: func('func(string, string) map[string]string', (separator: string, text: string) =>
    numbered(splitText(text, separator)),
  ),
  splitn: func('func(string, int, string) map[string]string', (separator: string, count: Int, text: string) =>
    numbered(splitText(text, separator, Number(count.value))),
  ),
  splitList: func(
    'func(string, string) []string',
    (separator: string, text: string) => new Slice('string', splitText(text, separator)),
  ),
};

function join(meter: Meter, separator: string, list: Value): string {
  const parts = toStrings(list, meter);
  meter.reserve(parts.reduce((length, part) => length + part.length + separator.length, 0));
  return parts.join(separator);
}

/** The elements of a list as strings, without nils. Any other value is a list of one. */
function toStrings(list: Value, meter: Meter): string[] {
  const items = itemsOf(list) ?? [list];
  return items.filter((item) => item !== null && item !== undefined).map((item) => strval(item, meter));
}

const SPACE = /[\s\u0085]/u;

/** A loop, because /\s+$/ takes quadratic time on long runs of spaces. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text[start] ?? '')) start++;
  while (end > start && SPACE.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

/** Go maps single characters, so those that would become several stay unchanged. */
function mapChars(text: string, convert: (char: string) => string): string {
  return [...text].map((char) => ([...convert(char)].length === 1 ? convert(char) : char)).join('');
}

function title(text: string): string {
  return text.replace(/(?<![\p{L}\p{Nd}_]|(?!\s)\P{ASCII})\p{L}/gu, (char) => char.toUpperCase());
}

function swapCase(text: string): string {
  return mapChars(text, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}

function truncate(count: number, text: string): string {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return byteSlice(text, length + count, length);
  return count >= 0 && length > count ? byteSlice(text, 0, count) : text;
}

function substring(startInt: Int, endInt: Int, text: string): string {
  const start = Number(startInt.value);
  const length = byteLength(text);
  const toEnd = start >= 0 && (endInt.value < 0n || endInt.value > length);
  const end = toEnd ? length : Number(endInt.value);
  const from = Math.max(start, 0);
  if (end > length || end < 0) throw bounds(toEnd ? `[${from}:]` : `[:${end}]`, end, length);
  if (from > end) throw new Error(`runtime error: slice bounds out of range [${from}:${end}]`);
  return byteSlice(text, from, end);
}

function bounds(range: string, end: number, length: number): Error {
  const detail = end < 0 ? '' : ` with length ${length}`;
  return new Error(`runtime error: slice bounds out of range ${range}${detail}`);
}

function repeat(meter: Meter, count: Int, text: string): string {
  if (count.value < 0n) throw new Error('strings: negative Repeat count');
  meter.reserve(Number(count.value) * text.length);
  return text.repeat(Number(count.value));
}

function trimAll(cutset: string, text: string): string {
  let start = 0;
  let end = text.length;
  for (let char = charAt(text, start); start < end && cutset.includes(char); char = charAt(text, start)) {
    start += char.length;
  }
  for (let char = charBefore(text, end); end > start && cutset.includes(char); char = charBefore(text, end)) {
    end -= char.length;
  }
  return text.slice(start, end);
}

function charAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}

function charBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}

function abbreviate(text: string, left: number, right: number): string {
  if (right < 4 || (left > 0 && right < 7)) return text;
  const length = byteLength(text);
  if (length <= right) return text;
  const offset = Math.min(left, length);
  const start = length - offset < right - 3 ? length - (right - 3) : offset;
  if (start <= 4) return `${byteSlice(text, 0, right - 3)}...`;
  if (start + right - 3 < length) return `...${abbreviate(byteSlice(text, start, length), 0, right - 3)}`;
  return `...${byteSlice(text, length - (right - 3), length)}`;
}

function joinSet(args: readonly Value[], text: (arg: Value) => string): string {
  return args
    .filter((arg) => arg !== null && arg !== undefined)
    .map(text)
    .join(' ');
}

function indent(meter: Meter, count: Int, text: string): string {
  if (count.value < 0n) throw new Error('strings: negative Repeat count');
  meter.reserve(Number(count.value) * text.split('\n').length + text.length);
  const pad = ' '.repeat(Number(count.value));
  return pad + text.replaceAll('\n', `\n${pad}`);
}

function replace(meter: Meter, old: string, fresh: string, text: string): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  meter.reserve(text.length + parts.length * fresh.length);
  return parts.join(fresh);
}

/** strings.SplitN: 0 returns nothing, a negative limit means no limit. */
function splitText(text: string, separator: string, limit = -1): string[] {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return limit === 0 ? [] : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoMap {
  return new GoMap('string', Object.fromEntries(parts.map((part, i) => [`_${i}`, part])));
}
