import { describe, expect, test } from 'vitest';
import { bitString, integer, namedBit, objectIdentifier, octetString, time } from './der.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('DER', () => {
  test.each([
    [[0], '020100'],
    [[0, 0], '020100'],
    [[0, 1], '020101'],
    [[0x7f], '02017f'],
    [[0x80], '02020080'],
    [[0, 0x80, 0], '0203008000'],
  ])('encodes the number %j in the fewest bytes that keep it positive', (bytes, expected) => {
    expect(hex(integer(Buffer.from(bytes)))).toBe(expected);
  });

  test.each([
    ['2.5.4.3', '0603550403'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('encodes the object identifier %s', (dotted, expected) => {
    expect(hex(objectIdentifier(dotted))).toBe(expected);
  });

  test.each([
    [0x7f, '047f'],
    [0x80, '048180'],
    [0xff, '0481ff'],
    [0x100, '04820100'],
    [0x10000, '0483010000'],
  ])('encodes a length of %i in the shortest form', (size, expected) => {
    expect(hex(octetString(Buffer.alloc(size))).slice(0, expected.length)).toBe(expected);
  });

  test('omits the trailing zeros of a named bit', () => {
    expect(hex(namedBit(5))).toBe('03020204');
    expect(hex(namedBit(0))).toBe('03020780');
    expect(hex(bitString(Buffer.of(1)))).toBe('03020001');
  });

  test('encodes the year in two digits up to 2049 and in four from then on', () => {
    const text = (iso: string) => time(new Date(iso)).subarray(2).toString('latin1');
    expect(text('2049-12-31T23:59:59.999Z')).toBe('491231235959Z');
    expect(text('2050-01-01T00:00:00Z')).toBe('20500101000000Z');
  });
});
