import { expect, test } from 'vitest';
import { followProxyIds } from './follow-proxy-ids.ts';

const userProxy = { name: 'istio-proxy', securityContext: { runAsUser: 1337, runAsNonRoot: true } };

test('transparent proxying without a container that redirects traffic changes nothing', () => {
  const pod = { spec: { containers: [userProxy] } };
  expect(followProxyIds(pod, userProxy, true)).toBe(pod);
});

test('transparent proxying with one needs root', () => {
  const pod = {
    spec: { initContainers: [{ name: 'istio-init', args: ['-u', '1'] }], containers: [userProxy] },
  };
  expect(followProxyIds(pod, userProxy, true)).toEqual({
    spec: {
      initContainers: [{ name: 'istio-init', args: ['-u', '1337'] }],
      containers: [{ name: 'istio-proxy', securityContext: { runAsUser: 0, runAsNonRoot: true } }],
    },
  });
});
