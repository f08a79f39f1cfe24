// CEL counts strings in code points, JavaScript in UTF-16 units. They differ only for strings with surrogates, which are
// rare: those are walked, all others are indexed directly. Strings are expected to be well-formed.

export function textSize(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let size = 0;
  for (let i = 0; i < text.length; i += unitsAt(text, i)) size++;
  return size;
}

/** The offset in UTF-16 units of a code point; undefined if there are fewer. The size of the text is a valid index. */
export function unitOffset(text: string, index: bigint | number): number | undefined {
  if (index < 0 || index > text.length) return undefined;
  const wanted = Number(index);
  if (!SURROGATE.test(text)) return wanted;
  let at = 0;
  for (let i = 0; i < wanted; i++) {
    if (at >= text.length) return undefined;
    at += unitsAt(text, at);
  }
  return at;
}

/** The inverse of `unitOffset`. */
export function codePointIndex(text: string, offset: number): number {
  return textSize(text.slice(0, offset));
}

/** The number of UTF-16 units of the code point at an offset. */
export function unitsAt(text: string, offset: number): 1 | 2 {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

const SURROGATE = /[\ud800-\udfff]/;
