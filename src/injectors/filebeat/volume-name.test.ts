import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeVolumeName, logVolumeName } from './volume-name.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

describe('the name of a log volume', () => {
  test('shows an ordinary path', () => {
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

  test('is a DNS label of its own for every path', () => {
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
  const taken = [
    { name: 'logs', secret: {} },
    { name: 'logs-2', secret: {} },
  ];

  test('is the wanted one where nobody, or we ourselves, have it', () => {
    expect(freeVolumeName([], 'logs', () => false)).toBe('logs');
    expect(freeVolumeName(taken, 'logs', () => true)).toBe('logs');
  });

  test('is counted up past those of others', () => {
    expect(freeVolumeName(taken, 'logs', () => false)).toBe('logs-3');
  });

  test('stays a DNS label', () => {
    const name = 'a'.repeat(63);
    expect(freeVolumeName([{ name, secret: {} }], name, () => false)).toMatch(LABEL);
  });
});
