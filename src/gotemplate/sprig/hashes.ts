import { toBytes } from '../../golang/utf8.ts';
import { type FunctionMap, func } from '../func.ts';

/** Sprig's checksums, in hexadecimal. */
export const HASHES: FunctionMap = {
  sha1sum: func('func(string) string', (text: string) => sha1(toBytes(text))),
  sha256sum: func('func(string) string', (text: string) => sha256(toBytes(text))),
  sha512sum: func('func(string) string', (text: string) => sha512(toBytes(text))),
};

/** FIPS 180-4: a bit, zeros, and the length in bits, to whole blocks. */
function padded(bytes: Uint8Array, block: number): DataView {
  const length = Math.ceil((bytes.length + 1 + block / 8) / block) * block;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return view;
}

const rotl = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));
const hex = (words: Iterable<number>) =>
  [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

function sha1(bytes: Uint8Array): string {
  const view = padded(bytes, 64);
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Int32Array(80);
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + i * 4);
    for (let i = 16; i < 80; i++)
      words[i] = rotl(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1);
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      const [f, k] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (rotl(a, 5) + f + e + k + at(words, i)) | 0;
      [e, d, c, b, a] = [d, c, rotl(b, 30), a, next];
    }
    [a, b, c, d, e].forEach((value, index) => {
      state[index] = (at(state, index) + value) | 0;
    });
  }
  return hex(state);
}

function at(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}

/** SHA-256 is SHA-512 with 32-bit words, other rotations and fewer rounds. */
interface Variant {
  readonly bits: bigint;
  readonly rounds: number;
  readonly big: readonly (readonly [bigint, bigint, bigint])[];
  /** The last of each is a shift. */
  readonly small: readonly (readonly [bigint, bigint, bigint])[];
  readonly constants: readonly bigint[];
  readonly initial: readonly bigint[];
}

const SHA256: Variant = {
  bits: 32n,
  rounds: 64,
  big: [
    [2n, 13n, 22n],
    [6n, 11n, 25n],
  ],
  small: [
    [7n, 18n, 3n],
    [17n, 19n, 10n],
  ],
  ...roots(32n, 64),
};
const SHA512: Variant = {
  bits: 64n,
  rounds: 80,
  big: [
    [28n, 34n, 39n],
    [14n, 18n, 41n],
  ],
  small: [
    [1n, 8n, 7n],
    [19n, 61n, 6n],
  ],
  ...roots(64n, 80),
};

const sha256 = (bytes: Uint8Array) => sha2(bytes, SHA256);
const sha512 = (bytes: Uint8Array) => sha2(bytes, SHA512);

function sha2(bytes: Uint8Array, { bits, rounds, big, small, constants, initial }: Variant): string {
  const mask = (1n << bits) - 1n;
  const size = Number(bits) / 8;
  const view = padded(bytes, 16 * size);
  const rotr = (value: bigint, count: bigint) => ((value >> count) | (value << (bits - count))) & mask;
  const sum = (value: bigint, [a, b, c]: readonly [bigint, bigint, bigint] = [0n, 0n, 0n]) =>
    rotr(value, a) ^ rotr(value, b) ^ rotr(value, c);
  const mix = (value: bigint, [a, b, c]: readonly [bigint, bigint, bigint] = [0n, 0n, 0n]) =>
    rotr(value, a) ^ rotr(value, b) ^ (value >> c);
  const state = [...initial];
  for (let start = 0; start < view.byteLength; start += 16 * size) {
    const words = Array.from({ length: 16 }, (_, i) =>
      size === 4 ? BigInt(view.getUint32(start + i * 4)) : view.getBigUint64(start + i * 8),
    );
    const word = (index: number) => words[index] ?? 0n;
    for (let i = 16; i < rounds; i++)
      words.push(
        (mix(word(i - 2), small[1]) + word(i - 7) + mix(word(i - 15), small[0]) + word(i - 16)) & mask,
      );
    let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
    for (let i = 0; i < rounds; i++) {
      const choice = (e & f) ^ (~e & mask & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const first = h + sum(e, big[1]) + choice + (constants[i] ?? 0n) + word(i);
      const second = sum(a, big[0]) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & mask, c, b, a, (first + second) & mask];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => {
      state[index] = ((state[index] ?? 0n) + value) & mask;
    });
  }
  return state.map((value) => value.toString(16).padStart(size * 2, '0')).join('');
}

/** The constants of the standard, which defines them by the roots of primes. */
function roots(bits: bigint, rounds: number): Pick<Variant, 'constants' | 'initial'> {
  return {
    constants: primes(rounds).map((prime) => fraction(prime, 3n, bits)),
    initial: primes(8).map((prime) => fraction(prime, 2n, bits)),
  };
}

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let value = 2n; found.length < count; value++) {
    if (found.every((prime) => value % prime !== 0n)) found.push(value);
  }
  return found;
}

/** The first bits of the fractional part of a root. */
function fraction(value: bigint, degree: bigint, bits: bigint): bigint {
  const scaled = value << (bits * degree);
  let [low, high] = [0n, value << bits];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= scaled) low = middle;
    else high = middle - 1n;
  }
  return low & ((1n << bits) - 1n);
}
