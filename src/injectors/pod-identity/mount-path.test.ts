import { expect, test } from 'vitest';
import { isSamePath, joinPath } from './mount-path.ts';

test.each([
  ['/a', 'token', '/a/token'],
  ['/a/', 'token', '/a/token'],
  ['/a//b//', './c/token', '/a/b/c/token'],
])('in %s, %s is %s', (directory, file, path) => {
  expect(joinPath(directory, file)).toBe(path);
});

test('a slash at the end does not make another place', () => {
  expect(isSamePath('/a/b', '/a/b/')).toBe(true);
  expect(isSamePath('/a/b', '/a/bc')).toBe(false);
});
