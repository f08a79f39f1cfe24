/** The length in UTF-8. Go counts lengths and indexes in bytes. */
export function byteLength(text: string): number {
  return isAscii(text) ? text.length : encoder.encode(text).length;
}

/** A cut through a character leaves invalid UTF-8, which becomes U+FFFD. */
export function byteSlice(text: string, start: number, end: number): string {
  if (isAscii(text)) return text.slice(start, end);
  return decoder.decode(encoder.encode(text).subarray(start, end));
}

export function byteAt(text: string, index: number): number {
  return isAscii(text) ? text.charCodeAt(index) : (encoder.encode(text)[index] ?? 0);
}

export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function fromBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Compares by UTF-8 bytes, which is the order of code points. UTF-16 differs only for surrogates. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates behind all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

export function hasSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

const SURROGATE = /[\ud800-\udfff]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
