import { describe, expect, test } from 'vitest';
import { isCidr } from './cidr.ts';
import { injectPathEnv } from './inject-path.ts';

describe('isCidr', () => {
  test.each(['10.0.0.0/8', '0.0.0.0/0', '::/0', 'fd00::/8', '1:2:3:4:5:6:7:8/128', '::ffff:10.0.0.1/96'])(
    'takes %s',
    (text) => {
      expect(isCidr(text)).toBe(true);
    },
  );

  test.each([
    '',
    '*',
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0/8',
    '010.0.0.0/8',
    '256.0.0.0/8',
    '1::2::3/8',
    ':1/8',
    '1:2:3:4:5:6:7/8',
    '::/129',
    ' 10.0.0.0/8',
    '10.0.0.0/08',
  ])('does not take "%s"', (text) => {
    expect(isCidr(text)).toBe(false);
  });
});

describe('injectPathEnv', () => {
  test.each([
    ['/inject', {}],
    ['/inject/', {}],
    ['/inject/cluster/c1/net/n1', { ISTIO_META_CLUSTER_ID: 'c1', ISTIO_META_NETWORK: 'n1' }],
    ['/inject/foo/a--slash--b/odd', { FOO: 'a/b' }],
    ['/inject/:ENV:cluster=c1:ENV:a=b=c', { ISTIO_META_CLUSTER_ID: 'c1', A: 'b=c' }],
  ])('reads %s', (path, expected) => {
    expect(injectPathEnv(path)).toEqual(expected);
  });
});
