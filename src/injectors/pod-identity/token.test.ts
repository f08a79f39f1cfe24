import { expect, test } from 'vitest';
import { holdsToken, isSamePath, joinPath } from './token.ts';

test.each([
  ['/a', 'token', '/a/token'],
  ['/a/', 'token', '/a/token'],
  ['/a//b//', './c/token', '/a/b/c/token'],
  ['/a/../b/./c', 'token', '/b/c/token'],
  ['/..', 'token', '/token'],
])('%s and %s are joined to %s', (directory, file, path) => {
  expect(joinPath(directory, file)).toBe(path);
});

test('a trailing slash does not make another path', () => {
  expect(isSamePath('/a/b', '/a/b/')).toBe(true);
  expect(isSamePath('/a/b', '/a/bc')).toBe(false);
});

test('a path of three million slashes is compared in linear time', () => {
  const slashes = '/'.repeat(3 * 2 ** 20);
  const start = performance.now();
  expect(isSamePath(`${slashes}x/`, '/a/b')).toBe(false);
  expect(isSamePath(`/a/b${slashes}`, '/a/b')).toBe(true);
  expect(performance.now() - start).toBeLessThan(5000);
});

test('a volume whose sources are not a list, which the API server rejects, is not a token volume', () => {
  const token = { volume: 't', mountPath: '/t', path: 'token', audience: '', expirationSeconds: 600 };
  for (const sources of [{}, 'token', [null], ['token'], [{ serviceAccountToken: 5 }]]) {
    expect(holdsToken({ name: 't', projected: { sources: sources as never } }, token)).toBe(false);
  }
});
