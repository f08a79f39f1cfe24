import { expect, test } from 'vitest';
import { metadataProblems } from './metadata-problems.ts';

test('accepts what the API server accepts', () => {
  const labels = {
    app: 'web-1',
    'example.com/team': '',
    version: '1.2_3',
  };
  const annotations = { 'Example.com/note': 'any text, whatever\n', 'sidecar.istio.io/inject': 'true' };
  expect(metadataProblems({ labels, annotations })).toEqual([]);
  expect(metadataProblems({})).toEqual([]);
});

test.each([
  ['labels', 'a b', 'x', 'expected a key like'],
  ['labels', 'Example.com/a', 'x', 'expected a key like'],
  ['labels', 'a/b/c', 'x', 'expected a key like'],
  ['labels', '/a', 'x', 'expected a key like'],
  ['labels', 'a', 'x y', 'expected at most 63 letters, digits, "-", "_" and ".", found "x y"'],
  ['labels', 'a', 'x'.repeat(64), 'expected at most 63 letters'],
  ['annotations', 'a'.repeat(64), '', 'expected a key like'],
])('reports %s: %s: %j', (field, key, value, message) => {
  expect(metadataProblems({ [field]: { [key]: value } })).toEqual([
    { path: [field, key], message: expect.stringContaining(message) },
  ]);
});
