import { expect, test } from 'vitest';
import { tryParseJson } from './try-parse-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('parses JSON', () => {
  expect(tryParseJson('{"a":["[",{"b\\"]":1}]}')).toEqual({ a: ['[', { 'b"]': 1 }] });
});

test.each(['', '{', '{a: 1}', '"'])('%j is not JSON', (text) => {
  expect(tryParseJson(text)).toBeUndefined();
});

test('nesting is limited, so that no recursive function overflows the stack', () => {
  expect(tryParseJson(nested(500))).toBeDefined();
  expect(tryParseJson(nested(501))).toBeUndefined();
  expect(tryParseJson(`["${']'.repeat(600)}",${nested(600)}]`)).toBeUndefined();
});

test('brackets in strings do not count', () => {
  const text = '['.repeat(600);
  expect(tryParseJson(JSON.stringify(`"${text}`))).toBe(`"${text}`);
});
