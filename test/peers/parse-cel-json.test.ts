import { describe, expect, it } from 'vitest';
import { Double } from '../../src/cel/values/values.ts';
import { parseJson } from './parse-cel-json.ts';

describe('parseJson', () => {
  it('distinguishes whole doubles from ints, and keeps integers exact', () => {
    expect(parseJson('[2, 2.0, 1e3, -0.0, 0.5, 9007199254740993, 9223372036854775808]')).toEqual([
      2,
      new Double(2),
      new Double(1000),
      new Double(-0),
      0.5,
      9007199254740993n,
      2 ** 63,
    ]);
  });

  it.each([
    '{"a": {"b": [1, "x\\"y", null, true, {}], "": []}, "__proto__": {"c": 1}}',
    '{"2.0": "1e3 and 2.0", "a\\u0000": "12345678901234567890", "n": 1.5e-7}',
    '"just 2.0 text"',
    '[[[[]]], {}, {"a": {"a": {}}}]',
  ])('agrees with JSON.parse on everything else: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('treats keys of prototypes as ordinary keys', () => {
    const value = parseJson('{"__proto__": 2.0, "constructor": 1}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
  });

  it('reads deeply nested values', () => {
    const text = `${'['.repeat(50_000)}2.0${']'.repeat(50_000)}`;
    expect(Array.isArray(parseJson(text))).toBe(true);
  });

  it('rejects what is not JSON', () => {
    expect(() => parseJson('[1.0,]')).toThrow(SyntaxError);
  });
});
