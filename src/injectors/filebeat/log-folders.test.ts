import { expect, test } from 'vitest';
import { deeperFolders, leadsInto } from './log-folders.ts';

test.each([
  ['/srv/logs/*.log', ['/srv/logs'], []],
  ['/srv/logs/*.log,/srv/logs/app/a.log', ['/srv/logs'], ['/srv/logs/app']],
  ['/srv/**/*.log', ['/srv'], ['/srv/**']],
  ['/srv/*/logs/*.log,/srv/*/logs/*.txt', ['/srv'], ['/srv/*/logs']],
])('%s leads deeper than %j to %j', (paths, directories, folders) => {
  expect(deeperFolders(paths, directories).map((segments) => segments.join('/'))).toEqual(folders);
});

test.each([
  ['/srv/logs/app', '/srv/logs/app', true],
  ['/srv/logs/app', '/srv/logs', true],
  ['/srv/logs/app', '/srv/logs/app/more', false],
  ['/srv/logs/app', '/srv/logs/other', false],
  ['/srv/*/logs', '/srv/app', true],
  ['/srv/*/logs', '/srv/app/logs', true],
  ['/srv/*/logs', '/srv/app/data', false],
  ['/srv/**', '/srv/a/b/c', true],
])('%s leads into %s: %s', (folder, directory, expected) => {
  expect(leadsInto(folder.split('/'), directory)).toBe(expected);
});
