import { expect, test } from 'vitest';
import { leadsInto } from './leads-into.ts';

test.each([
  ['/srv/logs/app', '/srv/logs/app', true],
  ['/srv/logs/app', '/srv/logs', true],
  ['/srv/logs/app', '/srv/logs/app/more', false],
  ['/srv/logs/app', '/srv/logs/other', false],
  ['/srv/*/logs', '/srv/app', true],
  ['/srv/*/logs', '/srv/app/logs', true],
  ['/srv/*/logs', '/srv/app/data', false],
  ['/srv/**', '/srv/a/b/c', true],
  ['/srv/**', '/other', false],
])('%s leads into %s: %s', (folder, directory, expected) => {
  expect(leadsInto([folder.split('/')], directory.split('/'))).toBe(expected);
});

test('several folders are kept apart, and none is forgotten', () => {
  const folders = Array.from({ length: 70 }, (_, index) => ['', `a${index}`, '*', `b${index}`]);
  for (let index = 0; index < folders.length; index++) {
    expect(leadsInto(folders, ['', `a${index}`, 'x', `b${index}`])).toBe(true);
    expect(leadsInto(folders, ['', `a${index}`, 'x', `b${(index + 1) % 70}`])).toBe(false);
    expect(leadsInto(folders, ['', `a${index}`, 'x', `b${(index + 32) % 70}`])).toBe(false);
  }
});
