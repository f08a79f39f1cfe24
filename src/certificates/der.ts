/** The part of ASN.1's Distinguished Encoding Rules (ITU-T X.690) that X.509 certificates are written in. */

export function sequence(...items: readonly Uint8Array[]): Buffer {
  return element(0x30, ...items);
}

export function setOf(item: Uint8Array): Buffer {
  return element(0x31, item);
}

/** A non-negative number, from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const firstUsed = bytes.findIndex((byte) => byte !== 0);
  const digits = firstUsed < 0 ? Buffer.alloc(1) : bytes.subarray(firstUsed);
  // A set top bit would make it negative.
  const sign = (digits[0] ?? 0) & 0x80 ? Buffer.alloc(1) : Buffer.alloc(0);
  return element(0x02, sign, digits);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.of(value ? 0xff : 0x00));
}

export function octetString(content: Uint8Array): Buffer {
  return element(0x04, content);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), content);
}

/** Named bits, the first being bit 0: trailing zeros are not written (X.690 §11.2.2). */
export function namedBits(...positions: readonly number[]): Buffer {
  const last = Math.max(...positions);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const position of positions) {
    const index = position >> 3;
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> (position & 7));
  }
  return bitString(bytes, 7 - (last & 7));
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

/** `2.5.4.3` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, ...[first * 40 + second, ...rest].map(base128));
}

/** Two-digit years up to 2049 and four-digit ones from then on, as RFC 5280 §4.1.2.5 has it; to the second. */
export function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\.\d+Z$|[-:T]/g, '');
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`, 'latin1'))
    : element(0x18, Buffer.from(`${digits}Z`, 'latin1'));
}

/** `[n]` around whole elements, or in place of a constructed element's own tag. */
export function contextConstructed(tag: number, ...items: readonly Uint8Array[]): Buffer {
  return element(0xa0 | tag, ...items);
}

/** `[n] IMPLICIT` of a primitive type. */
export function contextPrimitive(tag: number, content: Uint8Array): Buffer {
  return element(0x80 | tag, content);
}

function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
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

function base128(value: number): Buffer {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(groups);
}
