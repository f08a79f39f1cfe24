/** The part of ASN.1's Distinguished Encoding Rules (ITU-T X.690) that X.509 certificates need. */

type Bytes = Uint8Array;

export const sequence = (...items: readonly Bytes[]): Buffer => element(0x30, ...items);
export const setOf = (item: Bytes): Buffer => element(0x31, item);
export const octetString = (content: Bytes): Buffer => element(0x04, content);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));
/** `[n]` around whole elements, or in place of the tag of a constructed type. */
export const contextConstructed = (tag: number, item: Bytes): Buffer => element(0xa0 | tag, item);
/** `[n] IMPLICIT` of a primitive type. */
export const contextPrimitive = (tag: number, content: Bytes): Buffer => element(0x80 | tag, content);
export const TRUE = element(0x01, Buffer.of(0xff));

/** A non-negative number, from its big-endian bytes. */
export function integer(bytes: Bytes): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  // With the top bit set it would be negative.
  return element(0x02, Buffer.alloc((digits[0] ?? 0) >> 7), digits);
}

export function bitString(content: Bytes, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), content);
}

/** One of the first eight named bits: trailing zeros are not encoded (X.690 §11.2.2). */
export function namedBit(position: number): Buffer {
  return bitString(Buffer.of(0x80 >> position), 7 - position);
}

/** `2.5.4.3` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, ...[first * 40 + second, ...rest].map(base128));
}

function base128(value: number): Buffer {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(groups);
}

/** To the second; years up to 2049 have two digits, later ones four (RFC 5280 §4.1.2.5). */
export function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\.\d+Z$|[-:T]/g, '');
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`, 'latin1'))
    : element(0x18, Buffer.from(`${digits}Z`, 'latin1'));
}

function element(tag: number, ...content: readonly Bytes[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), length(body.length), body]);
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  const used = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | used.length), used]);
}
