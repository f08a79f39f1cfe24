import { expect, test } from 'vitest';
import type { Pod } from '../../../sdk/index.ts';
import { withoutSharedIds } from './openshift.ts';

const container = (name: string, runAsUser?: number) => ({
  name,
  securityContext: runAsUser === undefined ? {} : { runAsUser, runAsGroup: 5 },
});

test.each<[string, object, boolean]>([
  [
    'the last application has the user',
    { containers: [container('a', 1), container('b', 2), container('istio-proxy', 2)] },
    true,
  ],
  [
    'an earlier application has it',
    { containers: [container('a', 2), container('b', 1), container('istio-proxy', 2)] },
    false,
  ],
  [
    'an init container has it',
    { containers: [container('a', 1), container('istio-proxy', 2)], initContainers: [container('i', 2)] },
    true,
  ],
  [
    'the proxy runs as root and no user is set',
    { containers: [container('a'), container('istio-proxy', 0)] },
    true,
  ],
  [
    'istio-init has it',
    { containers: [container('istio-proxy', 2)], initContainers: [container('istio-init', 2)] },
    false,
  ],
])('the ids of the proxy, if %s', (_, spec, areRemoved) => {
  const pod = { metadata: { name: 'a' }, spec } as Pod;
  const proxy = withoutSharedIds(pod).spec?.containers.find(({ name }) => name === 'istio-proxy');
  expect(proxy?.securityContext?.runAsUser === undefined).toBe(areRemoved);
});

// For transparent proxying, the first call has made the proxy's user 0, which equals that of an application without one.
test.each(['containers', 'initContainers'])('a proxy that was injected into %s keeps its ids', (field) => {
  const annotations = { 'sidecar.istio.io/status': JSON.stringify({ [field]: ['istio-proxy'] }) };
  const spec = { containers: [container('a')], [field]: [container('a'), container('istio-proxy', 0)] };
  const pod = { metadata: { name: 'a', annotations }, spec } as Pod;
  expect(withoutSharedIds(pod)).toBe(pod);
});

test('a status that does not name the proxy changes nothing', () => {
  const annotations = { 'sidecar.istio.io/status': '{"containers":["a"]}' };
  const spec = { containers: [container('a'), container('istio-proxy', 0)] };
  const pod = { metadata: { name: 'a', annotations }, spec } as Pod;
  expect(withoutSharedIds(pod).spec?.containers[1]?.securityContext).toEqual({});
});
