import { describe, expect, test } from 'vitest';
import { logDirectories } from './log-directories.ts';

describe('the directories of log paths', () => {
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
  ])('%s are %j', (paths, directories) => {
    expect(logDirectories(paths)).toEqual({ value: directories });
  });

  test.each([
    ['*.log', 'absolute paths, but "*.log" is relative'],
    ['/srv/a/*.log,logs', 'absolute paths, but "logs" is relative'],
    ['/*.log', 'paths below a directory, but "/*.log" would need a volume at "/"'],
    ['/app.log', 'paths below a directory, but "/app.log" would need a volume at "/"'],
    ['/', 'paths below a directory, but "/" would need a volume at "/"'],
    ['/srv/../etc/*.log', 'paths without ":" and "..", unlike "/srv/../etc/*.log"'],
    ['/srv/c:/*.log', 'paths without ":" and "..", unlike "/srv/c:/*.log"'],
    ['/usr/*.log', 'paths elsewhere: a volume at "/usr" would hide Filebeat itself'],
    ['/usr/share/filebeat', 'paths elsewhere: a volume at "/usr/share/filebeat" would hide Filebeat itself'],
    [
      '/usr/share/filebeat/filebeat.yml/',
      'paths elsewhere: a volume at "/usr/share/filebeat/filebeat.yml" would hide Filebeat itself',
    ],
    ['/etc/app.log', 'paths elsewhere: a volume at "/etc" would hide what containers need to run'],
    [
      '/usr/local/bin',
      'paths elsewhere: a volume at "/usr/local/bin" would hide what containers need to run',
    ],
    ['/lib64/', 'paths elsewhere: a volume at "/lib64" would hide what containers need to run'],
    ['/dev/stdout', 'paths elsewhere: "/dev" is the kernel\'s and holds no log files'],
    ['/proc/1/fd/1', 'paths elsewhere: "/proc" is the kernel\'s and holds no log files'],
    ['/sys', 'paths elsewhere: "/sys" is the kernel\'s and holds no log files'],
    ['/srv/{a,b}/*.log', 'every path on its own, since Filebeat does not know {a,b}'],
    ['', 'at least one path, such as /var/log/*.log'],
    [' , ', 'at least one path, such as /var/log/*.log'],
  ])('%j is refused', (paths, expected) => {
    expect(logDirectories(paths)).toEqual({ expected });
  });

  test('many are refused, and quickly', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `/${index}/`).join(',');
    expect(logDirectories(paths)).toEqual({ expected: 'paths in at most 32 directories' });
  });
});
