/**
 * Like `indexOf`, but in linear time for all texts. The built-in search is faster for ordinary texts, and may take the
 * product of both lengths for hostile ones.
 */
export function findText(text: string, part: string, from = 0): number {
  if (text.length * part.length <= SMALL) return text.indexOf(part, from);
  return search(text, part, from, text.length, 'first');
}

/** Like `lastIndexOf`, but in linear time for all texts. */
export function findLastText(text: string, part: string, from: number): number {
  if (text.length * part.length <= SMALL) return text.lastIndexOf(part, from);
  return search(text, part, 0, Math.min(text.length, from + part.length), 'last');
}

/** A built-in search of this size takes a millisecond at most. */
const SMALL = 1_000_000;

/** Knuth, Morris and Pratt's search. Matches may overlap. */
function search(text: string, part: string, start: number, end: number, which: 'first' | 'last'): number {
  const borders = bordersOf(part);
  let found = -1;
  let matched = 0;
  for (let i = start; i < end; i++) {
    matched = extend(part, borders, matched, text.charCodeAt(i));
    if (matched < part.length) continue;
    found = i + 1 - part.length;
    if (which === 'first') break;
  }
  return found;
}

/** For each prefix of the part, the length of its longest proper prefix that is also its suffix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  for (let i = 1; i < part.length; i++) {
    borders[i] = extend(part, borders, borders[i - 1] ?? 0, part.charCodeAt(i));
  }
  return borders;
}

function extend(part: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && (length === part.length || part.charCodeAt(length) !== unit)) {
    length = borders[length - 1] ?? 0;
  }
  return part.charCodeAt(length) === unit ? length + 1 : length;
}
