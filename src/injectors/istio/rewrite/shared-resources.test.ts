import { expect, test } from 'vitest';
import { sharedResourceWarnings } from './shared-resources.ts';

const container = (cpu: string, more: object = {}) => ({
  name: 'x',
  resources: { requests: { cpu } },
  ...more,
});
const ALWAYS = { restartPolicy: 'Always' };

test.each([
  ['containers together', [], [container('1'), container('1500m')], true],
  ['an init container and those after it', [container('2')], [container('2')], false],
  ['sidecars and containers', [container('1', ALWAYS)], [container('1500m')], true],
  ['an init container and the sidecar before it', [container('1', ALWAYS), container('1500m')], [], true],
  ['an init container and the sidecar after it', [container('1500m'), container('1', ALWAYS)], [], false],
])('requests of %s', (_, initContainers, containers, isTooMuch) => {
  const spec = { resources: { requests: { cpu: '2' } }, initContainers, containers };
  expect(sharedResourceWarnings({ spec })).toHaveLength(isTooMuch ? 1 : 0);
});

test('a limit without a request is a request', () => {
  const limited = { name: 'x', resources: { limits: { 'hugepages-2Mi': '3Mi' } } };
  const spec = { resources: { requests: { 'hugepages-2Mi': '2Mi' } }, containers: [limited] };
  expect(sharedResourceWarnings({ spec })).toEqual([
    'spec.resources has a hugepages-2Mi request, and with the proxy its containers request more: the API server rejects such a Pod',
  ]);
});

test('only 16 page sizes are looked at', () => {
  const sizes = Array.from({ length: 400 }, (_, index) => `hugepages-${index + 1}Ki`);
  const amounts = (value: string) => Object.fromEntries(sizes.map((size) => [size, value]));
  const containers = [{ name: 'x', resources: { requests: amounts('2') } }];
  const spec = { resources: { requests: amounts('1') }, containers };
  expect(sharedResourceWarnings({ spec })).toHaveLength(16);
});

test('warnings about limits are few and short, whatever the names', () => {
  const name = 'x'.repeat(300_000);
  const limits = (value: string) => ({ limits: { cpu: value, memory: value } });
  const containers = Array.from({ length: 50 }, () => ({ name, resources: limits('2') }));
  const warnings = sharedResourceWarnings({ spec: { resources: limits('1'), containers } });
  expect(warnings).toHaveLength(21);
  expect(warnings.every(({ length }) => length < 400)).toBe(true);
});
