import { fromBytes, toBytes } from '../../golang/utf8.ts';
import { type FunctionMap, func } from '../func.ts';

/** Sprig's encodings. Like sprig's, the decoders return the error message as the result. */
export const ENCODING: FunctionMap = {
  b64enc: func('func(string) string', (text: string) => encode(toBytes(text), BASE64, 6, 4)),
  b64dec: func('func(string) string', (text: string) => decode(text, BASE64, 6, 4, 'base64')),
  b32enc: func('func(string) string', (text: string) => encode(toBytes(text), BASE32, 5, 8)),
  b32dec: func('func(string) string', (text: string) => decode(text, BASE32, 5, 8, 'base32')),
  adler32sum: func('func(string) string', (text: string) => adler32(toBytes(text)).toString()),
};

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function encode(bytes: Uint8Array, alphabet: string, bits: number, group: number): string {
  let out = '';
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    held += 8;
    for (; held >= bits; held -= bits) out += alphabet[(buffer >> (held - bits)) & (2 ** bits - 1)];
    buffer &= 2 ** held - 1;
  }
  if (held > 0) out += alphabet[(buffer << (bits - held)) & (2 ** bits - 1)];
  return out.padEnd(Math.ceil(out.length / group) * group, '=');
}

function decode(text: string, alphabet: string, bits: number, group: number, name: string): string {
  const data = text.replace(/[\r\n]/g, '');
  let end = data.length;
  while (data[end - 1] === '=') end--;
  const digits = data.slice(0, end);
  const bad = [...digits].findIndex((char) => !alphabet.includes(char));
  if (bad >= 0 || data.length % group !== 0 || (digits.length * bits) % 8 >= bits) {
    return `illegal ${name} data at input byte ${bad >= 0 ? bad : data.length - (data.length % group)}`;
  }
  const bytes: number[] = [];
  let buffer = 0;
  let held = 0;
  for (const char of digits) {
    buffer = ((buffer << bits) | alphabet.indexOf(char)) & 0xffff;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes.push((buffer >> held) & 255);
    }
  }
  return fromBytes(Uint8Array.from(bytes));
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}
