import { expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { readSettings } from '../settings.ts';
import { guardrailProblem } from './guardrails.ts';

const names = {
  containers: ['istio-proxy'],
  initContainers: ['istio-init'],
  volumes: [],
  imagePullSecrets: [],
};
const init = {
  name: 'istio-init',
  image: 'mesh/init:1',
  securityContext: { capabilities: { add: ['NET_ADMIN'] } },
};
const proxy = { name: 'istio-proxy', image: 'mesh/proxy:1', resources: { limits: { cpu: '2' } } };
const template = { spec: { containers: [proxy], initContainers: [init] } };

test.each<[string, object, JsonObject, string | undefined]>([
  ['nothing is limited by default', {}, { ...proxy, image: 'evil' }, undefined],
  ['an allowed image', { allowedImages: ['mesh/*'] }, proxy, undefined],
  [
    'another image',
    { allowedImages: ['mesh/*'] },
    { ...proxy, image: 'evil/x' },
    'Cannot inject: setting "allowedImages" does not allow image "evil/x" of container "istio-proxy"',
  ],
  ['the most that is allowed', { maxResources: { cpu: '2000m' } }, proxy, undefined],
  ['too high a limit', { maxResources: { cpu: '1' } }, proxy, 'allows at most 1 of cpu, not the limits 2'],
  [
    'too high a request',
    { maxResources: { memory: '1Gi' } },
    { ...proxy, resources: { requests: { memory: '2Gi' } } },
    'allows at most 1Gi of memory, not the requests 2Gi',
  ],
  [
    'a container as in the template',
    { allowOverrides: false },
    { ...proxy, env: [{ name: 'A' }] },
    undefined,
  ],
  [
    'a command of the user',
    { allowOverrides: false },
    { ...proxy, command: ['sh'] },
    'setting "allowOverrides" is off, and the Pod changes command of container "istio-proxy"',
  ],
  [
    'privileges of the user',
    { allowOverrides: false },
    { ...proxy, securityContext: { privileged: true } },
    'the Pod changes securityContext',
  ],
])('%s', (_, settings, container, expected) => {
  const pod = { spec: { containers: [{ name: 'web', image: 'any' }, container], initContainers: [init] } };
  const problem = guardrailProblem({ pod, template, names }, readSettings(settings));
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});

test('a quantity that Kubernetes would reject is an error at the start', () => {
  expect(() => readSettings({ maxResources: { cpu: 'lots' } })).toThrow('not a quantity');
});
