import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { escapeSegment } from '../json/pointer.ts';
import { pathHash, valueHash } from './leaf-hash.ts';
import { scanObject } from './scan-object.ts';

/** The leaves of a parsed object, as a scan of its text should find them. */
function leavesOf(value: Json, path = ''): number[] {
  const members = isJsonArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (members.length === 0) return [pathHash(path), valueHash(value)];
  return members.flatMap(([key, member]) => leavesOf(member, `${path}/${escapeSegment(key)}`));
}

function scanned(text: string): number[] | undefined {
  const state = scanObject(Buffer.from(text))?.state;
  return state && [...state.data.subarray(0, state.length)];
}

test('finds the leaves of any object in its text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (object) => {
      expect(scanned(JSON.stringify(object))).toEqual(leavesOf(object as Json));
    }),
  );
});

test('finds the same leaves however a string or a number is written', () => {
  const plain = scanned('{"a":"<é>","b":[1000,true,null,-1.5]}');
  expect(scanned('{"\\u0061":"\\u003c\\u00e9\\u003e","b":[1e3,true,null,-1.50]}')).toEqual(plain);
});

test('leaves out what changes with every write', () => {
  const text = '{"metadata":{"resourceVersion":"7","managedFields":[{"time":"now"}],"name":"web"}}';
  expect(scanned(text)).toEqual(leavesOf({ metadata: { name: 'web' } }));
});

test('reads what identifies the object, and not the same keys of other maps', () => {
  const text =
    '{"spec":{"kind":"x","metadata":{"uid":"y"}},"kind":"Pod","metadata":{"name":"w\\u00e9b","uid":"u","resourceVersion":"7"}}';
  expect(scanObject(Buffer.from(text))).toMatchObject({
    kind: 'Pod',
    name: 'wéb',
    namespace: '',
    uid: 'u',
    resourceVersion: '7',
  });
});

test.each([
  '',
  '[]',
  '"text"',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '{"a":1}}',
  '{"a":1},{"b":2}',
  '{"a" :1}',
  '{"a": "b"}',
  '{"a":tru}',
  '{"a":"b}',
  '{"a":"b\\"}',
  '{"a":"\\x"}',
  '{"a":[1 2]}',
  '{"a":[1,]}',
  '{"a":[}',
  '{"a":{]}',
  '{a:1}',
])('rejects %s', (text) => {
  expect(scanned(text)).toBeUndefined();
});

test('rejects what is nested too deeply', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
  expect(scanned(nested(400))).toHaveLength(2);
  expect(scanned(nested(100_000))).toBeUndefined();
});
