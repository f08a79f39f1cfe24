import { expect, test } from 'vitest';
import { injectPathEnv } from './inject-path.ts';

test.each([
  ['/inject', {}],
  ['/inject/', {}],
  ['/inject/cluster/c1/net/n1', { ISTIO_META_CLUSTER_ID: 'c1', ISTIO_META_NETWORK: 'n1' }],
  ['/inject/foo/a--slash--b/odd', { FOO: 'a/b' }],
  ['/inject/net/n1/', { ISTIO_META_NETWORK: 'n1' }],
  ['/inject/:ENV:=x:ENV:a=b--slash--c:ENV:d', { A: 'b--slash--c' }],
  ['/inject/:ENV:cluster=c1:ENV:a=b=c', { ISTIO_META_CLUSTER_ID: 'c1', A: 'b=c' }],
])('reads %s', (path, expected) => {
  expect(injectPathEnv(path)).toEqual(expected);
});
