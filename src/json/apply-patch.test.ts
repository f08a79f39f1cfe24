import { expect, test } from 'vitest';
import { deepFreeze } from '../testing/laws.ts';
import { applyPatch } from './apply-patch.ts';
import type { Json } from './json.ts';
import type { Operation } from './operation.ts';

test.each([
  [{ a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, { op: 'add', path: '/a', value: 2 }, { a: 2 }],
  [[1, 3], { op: 'add', path: '/1', value: 2 }, [1, 2, 3]],
  [[1], { op: 'add', path: '/-', value: 2 }, [1, 2]],
  [{ 'a/b~c': 1 }, { op: 'replace', path: '/a~1b~0c', value: 2 }, { 'a/b~c': 2 }],
  [{ a: [1, 2] }, { op: 'remove', path: '/a/0' }, { a: [2] }],
  [['a', 'b', 'c'], { op: 'move', from: '/0', path: '/2' }, ['b', 'c', 'a']],
  [['a', 'b', 'c'], { op: 'move', from: '/2', path: '/0' }, ['c', 'a', 'b']],
  [{ a: 1 }, { op: 'replace', path: '', value: 2 }, 2],
] as [Json, Operation, Json][])('%j with %j is %j', (document, operation, expected) => {
  expect(applyPatch(document, [operation])).toEqual(expected);
});

test.each([
  [{}, { op: 'add', path: '/a/b', value: 1 }],
  [{}, { op: 'replace', path: '/a', value: 1 }],
  [{}, { op: 'remove', path: '/a' }],
  [[1], { op: 'add', path: '/2', value: 1 }],
  [[1], { op: 'add', path: '/01', value: 1 }],
  [[1], { op: 'remove', path: '/-' }],
  [{}, { op: 'remove', path: '/constructor' }],
  [{}, { op: 'move', from: '/a', path: '/b' }],
  ['text', { op: 'add', path: '/length', value: 1 }],
] as [Json, Operation][])('%j with %j is refused', (document, operation) => {
  expect(() => applyPatch(document, [operation])).toThrow('path not found');
});

test('treats a key of the prototype as an ordinary key', () => {
  const document = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]);
  expect(JSON.stringify(document)).toBe('{"__proto__":{"x":1}}');
});

test('does not modify the document, nor values of the patch that later operations change', () => {
  const document = deepFreeze({ a: { b: [1] } });
  const added = deepFreeze({ c: { d: 1 } });
  const patched = applyPatch(document, [
    { op: 'add', path: '/a/b/-', value: added },
    { op: 'replace', path: '/a/b/1/c/d', value: 2 },
    { op: 'move', from: '/a/b/1', path: '/e' },
    { op: 'remove', path: '/a/b/0' },
    { op: 'add', path: '/e/c/f', value: 3 },
  ]);
  expect(patched).toEqual({ a: { b: [] }, e: { c: { d: 2, f: 3 } } });
});

test('many operations on one object take linear time', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
  const document = Object.fromEntries(keys.map((key) => [key, '']));
  const start = performance.now();
  const patched = applyPatch(
    document,
    keys.map((key) => ({ op: 'remove', path: `/${key}` })),
  );
  expect(patched).toEqual({});
  // It took more than a minute.
  expect(performance.now() - start).toBeLessThan(1000);
});
