import { describe, expect, test } from 'vitest';
import { parseDocument } from './parse-document.ts';

test('reads scalars and merge keys of YAML 1.1, as kubectl does', () => {
  const text = 'base: &b {a: 1, s: yes}\none: {<<: *b, a: 2}\n0400: !!binary aGk=\n~: 0400\n"<<": 0o17\n';
  expect(parseDocument(text).value).toEqual({
    base: { a: 1, s: true },
    one: { a: 2, s: true },
    256: 'aGk=',
    '': 256,
    '<<': 15,
  });
});

test('reads JSON with keys such as __proto__', () => {
  const value = parseDocument('{"__proto__": {"a": 1}, "constructor": 2}').value;
  expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
});

test('reads an empty document as null', () => {
  expect(parseDocument('# nothing\n').value).toBe(null);
});

describe('rejects with a code and the line', () => {
  const bomb = ['a0: &a0 x'];
  for (let n = 1; n < 10; n += 1)
    bomb.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    );

  test.each([
    ['duplicate keys', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'line 7: duplicate key "c"'],
    ['keys that are equal in JSON', '1: a\n"1": b\n', 'line 5: duplicate key "1"'],
    ['duplicate keys in a flow map', '{a: 1, a: 2}', 'line 4: duplicate key "a"'],
    ['a key that is a map', '? {a: 1}\n: 2\n', 'line 4: a key must be a scalar'],
    ['keys that are equal to kubectl', 'yes: a\non: b\n', 'line 5: duplicate key "true"'],
    ['infinity', 'a: 1\nb: .inf\n', 'line 5: .inf has no equivalent in JSON'],
    ['broken syntax', 'a: 1\nb: [1, 2\nc: 3\n', 'line 6: '],
    ['tabs for indentation', 'a:\n\tb: 1\n', 'line 5: '],
    ['two documents', 'a: 1\n---\nb: 2\n', 'line 5: '],
    ['an alias without an anchor', 'a: *nowhere\n', 'line 4: '],
    ['an alias bomb', bomb.join('\n'), 'too large with its aliases resolved'],
    ['flow nested too deeply', '['.repeat(20_000) + ']'.repeat(20_000), 'nested too deeply'],
    ['blocks nested too deeply', '- '.repeat(5_000), 'nested too deeply'],
  ])('%s', (_, text, message) => {
    expect(() => parseDocument(text, 4)).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(message) }),
    );
  });
});
