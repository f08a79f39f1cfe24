import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeVolumeName, logVolumeName } from './volume-name.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

describe('a log volume name', () => {
  test('is readable for an ordinary path', () => {
    expect(logVolumeName('/var/log/nginx')).toBe('filebeat-log-var-log-nginx');
  });

  test.each([
    '/srv/My.Logs',
    '/srv/my logs',
    '/日本/ログ',
    `/${'a'.repeat(200)}`,
    '/a-b',
    '/a/b',
    '/a--b',
    '/A/b',
  ])('is a DNS label for %s', (path) => {
    expect(logVolumeName(path)).toMatch(LABEL);
  });

  test('is a unique DNS label for every path', () => {
    const path = fc.stringMatching(/^(\/[aAbB.\- é_0]{1,40}){1,6}$/);
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(logVolumeName(one)).toMatch(LABEL);
        expect(logVolumeName(one) === logVolumeName(other)).toBe(one === other);
      }),
    );
  });
});

describe('a free volume name', () => {
  const taken = new Set(['logs', 'logs-2']);

  test('is the given name if it is not taken', () => {
    expect(freeVolumeName('logs', () => false)).toBe('logs');
  });

  test('gets a number after the names of other volumes', () => {
    expect(freeVolumeName('logs', (name) => taken.has(name))).toBe('logs-3');
  });

  test.each([1, 10, 1_000, 100_000])('remains a DNS label after %i others', (count) => {
    let calls = 0;
    expect(freeVolumeName('a'.repeat(63), () => calls++ < count)).toMatch(LABEL);
    expect(calls).toBe(count + 1);
  });
});
