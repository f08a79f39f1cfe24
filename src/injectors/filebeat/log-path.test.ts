import { describe, expect, test } from 'vitest';
import { parseLogPath } from './log-path.ts';

describe('a log path', () => {
  test.each([
    ['/var/log/*.log', ['/var/log']],
    ['/var/log', ['/var/log']],
    ['/var/log/', ['/var/log']],
    ['/var/log/nginx/access.log', ['/var/log/nginx']],
    ['/var/log/nginx/access.log.1', ['/var/log/nginx']],
    ['/var/log/app?', ['/var/log']],
    ['/var/log/app-[0-9]/out', ['/var/log']],
    ['/srv/**/*.log', ['/srv']],
    ['/srv/*/logs/*.log', ['/srv']],
    ['/srv/v1.2/', ['/srv/v1.2']],
    ['/srv/v1.2/*.log', ['/srv/v1.2']],
    ['/srv/.logs', ['/srv/.logs']],
    ['/srv/logs.', ['/srv/logs.']],
    ['//srv/./logs//a.log', ['/srv/logs']],
    [' /srv/a/*.log , /srv/b/*.log,', ['/srv/a', '/srv/b']],
    ['/srv/b/*.log,/srv/a/*.log', ['/srv/a', '/srv/b']],
    ['/srv/a/x.log,/srv/a/y.log', ['/srv/a']],
    ['/srv/a/b/c/*.log,/srv/a/*.log', ['/srv/a']],
    ['/srv/a-b/*.log,/srv/a/b/*.log,/srv/a/*.log', ['/srv/a-b', '/srv/a']],
    ['/srv/my logs/*.log', ['/srv/my logs']],
    ['/srv/**', ['/srv']],
    ['/srv/*/../*.log', ['/srv']],
    ['/srv/{app}/*.log', ['/srv/{app}']],
    ['/etc/app/*.log', ['/etc/app']],
    ['/usr/local/app/logs', ['/usr/local/app/logs']],
    ['/var/app.log', ['/var']],
    ['/dev/shm/app.log', ['/dev/shm']],
    ['/development/app.log', ['/development']],
  ])('%j mounts %j', (paths, directories) => {
    expect(parseLogPath(paths)).toMatchObject({ value: { text: paths, directories } });
  });

  test.each([
    ['*.log', 'absolute paths, but "*.log" is relative'],
    ['/srv/a/*.log,logs', 'absolute paths, but "logs" is relative'],
    ['/*.log', 'paths below a directory, but "/*.log" would need a volume at "/"'],
    ['/app.log', 'paths below a directory, but "/app.log" would need a volume at "/"'],
    ['/', 'paths below a directory, but "/" would need a volume at "/"'],
    ['/srv/../etc/*.log', 'paths without ":" and "..", found "/srv/../etc/*.log"'],
    ['/srv/c:/*.log', 'paths without ":" and "..", found "/srv/c:/*.log"'],
    ['/usr/*.log', 'paths in other directories: a volume at "/usr" would hide Filebeat itself'],
    [
      '/usr/share/filebeat',
      'paths in other directories: a volume at "/usr/share/filebeat" would hide Filebeat itself',
    ],
    [
      '/usr/share/filebeat/filebeat.yml/',
      'paths in other directories: a volume at "/usr/share/filebeat/filebeat.yml" would hide Filebeat itself',
    ],
    [
      '/etc/app.log',
      'paths in other directories: a volume at "/etc" would hide files that containers need to run',
    ],
    [
      '/usr/local/bin',
      'paths in other directories: a volume at "/usr/local/bin" would hide files that containers need to run',
    ],
    [
      '/lib64/',
      'paths in other directories: a volume at "/lib64" would hide files that containers need to run',
    ],
    ['/dev/stdout', 'paths in other directories: "/dev" belongs to the kernel and contains no log files'],
    ['/proc/1/fd/1', 'paths in other directories: "/proc" belongs to the kernel and contains no log files'],
    ['/sys', 'paths in other directories: "/sys" belongs to the kernel and contains no log files'],
    ['/srv/{a,b}/*.log', 'separate paths, because Filebeat does not support {a,b}'],
    ['', 'at least one path, such as /var/log/*.log'],
    [' , ', 'at least one path, such as /var/log/*.log'],
  ])('%j is rejected: expected %s', (paths, expected) => {
    expect(parseLogPath(paths)).toEqual({ expected });
  });

  test('a huge list is rejected quickly', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `/${index}/`).join(',');
    expect(parseLogPath(paths)).toEqual({ expected: 'paths in at most 32 directories' });
  });
});

test.each([
  ['/srv/logs/*.log', ['/srv/logs'], []],
  ['/srv/logs/*.log,/srv/logs/app/a.log', ['/srv/logs'], ['/srv/logs/app']],
  ['/srv/**/*.log', ['/srv'], ['/srv/**']],
  ['/srv/*/logs/*.log,/srv/*/logs/*.txt', ['/srv'], ['/srv/*/logs']],
])('%s mounts %j and has the subfolders %j', (paths, directories, folders) => {
  const subfolders = folders.map((folder) => folder.split('/'));
  expect(parseLogPath(paths)).toMatchObject({ value: { directories, subfolders } });
});
