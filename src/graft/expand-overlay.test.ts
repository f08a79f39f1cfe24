import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { constantParts, expandOverlay, needsExpansion } from './expand-overlay.ts';

const pod = { spec: { priority: 5, containers: [{ name: 'app', env: [{ name: 'A' }] }, { name: 'app-2' }] } };
const expand = (spec: JsonObject) => expandOverlay({ spec }, pod).spec;

test('returns an overlay without patterns and minimums as it is', () => {
  const overlay = {
    spec: { containers: [{ name: 'app', image: { $force: 'a' } }, { $absent: { name: 'x' } }] },
  };
  expect(expandOverlay(overlay, pod)).toBe(overlay);
});

test('a name pattern stands for every matching item, and for items that the overlay adds', () => {
  expect(
    expand({
      containers: [
        { name: '*', tty: true },
        { name: 'new', image: 'n' },
      ],
    }),
  ).toEqual({
    containers: [
      { name: 'new', image: 'n' },
      { name: 'app', tty: true },
      { name: 'app-2', tty: true },
      { name: 'new', tty: true },
    ],
  });
  expect(expand({ containers: [{ name: '*-2', tty: true }] })).toEqual({
    containers: [{ name: 'app-2', tty: true }],
  });
  expect(expand({ containers: [{ name: 'other-*', tty: true }] })).toEqual({ containers: [] });
});

test('a pattern does not bring back an item that the overlay removes', () => {
  const overlay = { containers: [{ $absent: { name: 'app' } }, { name: '*', tty: true }] };
  expect(expand(overlay)).toEqual({
    containers: [{ $absent: { name: 'app' } }, { name: 'app-2', tty: true }],
  });
});

test('a removal by pattern names each item', () => {
  expect(expand({ containers: [{ $absent: { name: 'app*' } }] })).toEqual({
    containers: [{ $absent: { name: 'app' } }, { $absent: { name: 'app-2' } }],
  });
});

test('patterns nest', () => {
  expect(expand({ containers: [{ name: '*', env: [{ name: '*', value: 'x' }] }] })).toEqual({
    containers: [
      { name: 'app', env: [{ name: 'A', value: 'x' }] },
      { name: 'app-2', env: [] },
    ],
  });
});

test('$atLeast raises a smaller number, sets a missing one and leaves any other value', () => {
  expect(expand({ priority: { $atLeast: 7 } })).toEqual({ priority: { $force: 7 } });
  expect(expand({ priority: { $atLeast: 5 } })).toEqual({});
  expect(expand({ replicas: { $atLeast: 2 } })).toEqual({ replicas: 2 });
  expect(expand({ containers: { $atLeast: 2 } })).toEqual({});
});

test('settings of a probe apply only to a container that has it', () => {
  const livenessProbe = { timeoutSeconds: { $force: 5 } };
  const containers = [
    { name: 'a', livenessProbe: { exec: { command: ['true'] } } },
    { name: 'b', livenessProbe: null },
  ];
  expect(
    expandOverlay({ spec: { containers: [{ name: '*', livenessProbe }] } }, { spec: { containers } }).spec,
  ).toEqual({ containers: [{ name: 'a', livenessProbe }, { name: 'b' }] });
});

const limited = (resources: JsonObject) => ({ spec: { containers: [{ name: 'app', resources }] } });
const fitted = (wanted: JsonObject, found: JsonObject) => {
  const { containers } = expandOverlay(limited(wanted), limited(found)).spec as JsonObject;
  return ((containers as JsonObject[])[0] as JsonObject).resources;
};

test('$atLeast compares quantities by amount', () => {
  const wanted = { requests: { cpu: { $atLeast: '100m' }, memory: { $atLeast: '1Gi' } } };
  expect(fitted(wanted, { requests: { cpu: '0.05', memory: '2Gi' } })).toEqual({
    requests: { cpu: { $force: '100m' } },
  });
  expect(fitted(wanted, { requests: { cpu: 1, memory: 1000 } })).toEqual({
    requests: { memory: { $force: '1Gi' } },
  });
  expect(fitted(wanted, { requests: { cpu: 'lots', memory: '1024Mi' } })).toEqual({ requests: {} });
  expect(fitted({ requests: { cpu: { $atLeast: 1 } } }, { requests: { cpu: '500m' } })).toEqual({
    requests: { cpu: { $force: 1 } },
  });
});

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  [
    'a default request is lowered to the limit',
    { requests: { cpu: '500m', memory: '1Gi' } },
    { limits: { cpu: '200m', memory: '2Gi' } },
    { requests: { cpu: '200m', memory: '1Gi' } },
  ],
  [
    'a minimum is lowered to the limit',
    { requests: { cpu: { $atLeast: '500m' } } },
    { limits: { cpu: '200m' }, requests: { cpu: '100m' } },
    { requests: { cpu: { $force: '200m' } } },
  ],
  [
    'a default limit is raised to the request',
    { limits: { memory: '1Gi' } },
    { requests: { memory: '4Gi' } },
    { limits: { memory: '4Gi' } },
  ],
  [
    'a forced limit counts, not the one it replaces',
    { requests: { cpu: '500m' }, limits: { cpu: { $force: '300m' } } },
    { limits: { cpu: '2' } },
    { requests: { cpu: '300m' }, limits: { cpu: { $force: '300m' } } },
  ],
  [
    'a raised limit counts',
    { requests: { cpu: '500m' }, limits: { cpu: { $atLeast: '1' } } },
    { limits: { cpu: '200m' } },
    { requests: { cpu: '500m' }, limits: { cpu: { $force: '1' } } },
  ],
  [
    'a forced request stays',
    { requests: { cpu: { $force: '500m' } } },
    { limits: { cpu: '200m' } },
    { requests: { cpu: { $force: '500m' } } },
  ],
  [
    'an invalid limit is left to the API server',
    { requests: { cpu: '500m' } },
    { limits: { cpu: 'lots' } },
    { requests: { cpu: '500m' } },
  ],
])('%s', (_, wanted, found, expected) => {
  expect(fitted(wanted, found)).toEqual(expected);
});

describe('resources that the Pod sets for all its containers', () => {
  const resources = { requests: { memory: '100Mi' }, limits: { cpu: '200m' } };
  const containers = [{ name: 'app', resources: { requests: { memory: '100Mi' } } }, { name: 'b' }];
  const podWith = (shared: JsonObject) => ({ kind: 'Pod', spec: { resources: shared, containers } });
  const wanted = {
    requests: { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '1Gi' },
    limits: { cpu: '1' },
  };
  const overlay = {
    spec: {
      containers: [{ name: 'new', image: 'n', resources: wanted }],
      initContainers: [{ name: 'setup', image: 's', resources: { limits: { cpu: { $atLeast: '1' } } } }],
    },
  };

  test('have no defaults and no minimums in containers', () => {
    expect(expandOverlay(overlay, podWith(resources), constantParts(overlay))).toEqual({
      spec: {
        containers: [{ name: 'new', image: 'n', resources: { requests: { 'ephemeral-storage': '1Gi' } } }],
        initContainers: [{ name: 'setup', image: 's' }],
      },
    });
  });

  test('have none in containers that match a pattern', () => {
    const every = { spec: { containers: [{ name: '*', resources: { requests: wanted.requests } }] } };
    const rest = { resources: { requests: { 'ephemeral-storage': '1Gi' } } };
    expect(expandOverlay(every, podWith(resources)).spec).toEqual({
      containers: [
        { name: 'app', ...rest },
        { name: 'b', ...rest },
      ],
    });
  });

  test('keep what is forced or removed', () => {
    const forced = {
      requests: { memory: { $force: '128Mi' }, cpu: { $absent: true } },
      limits: { $force: { cpu: '1' } },
    };
    const own = { spec: { containers: [{ name: 'app', resources: forced }] } };
    expect(expandOverlay(own, podWith(resources))).toBe(own);
  });

  test('are those of the Pod template in a workload', () => {
    const { spec } = podWith(resources);
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec } } };
    expect(expandOverlay({ spec: { template: overlay } }, deployment)).toEqual({
      spec: { template: expandOverlay(overlay, podWith(resources)) },
    });
  });

  test.each<[string, JsonObject]>([
    ['a Pod that sets none', { kind: 'Pod', spec: { containers } }],
    ['a Pod that sets others', podWith({ limits: { 'hugepages-2Mi': '4Mi' }, requests: null })],
    // Prometheus, for example, runs these containers beside its own.
    ['a custom resource', { apiVersion: 'a/v1', kind: 'Prometheus', spec: { resources, containers } }],
  ])('do not matter in %s', (_, object) => {
    expect(expandOverlay({ spec: { containers: [{ name: 'b', resources: wanted }] } }, object).spec).toEqual({
      containers: [{ name: 'b', resources: wanted }],
    });
  });

  test('can be filled by the overlay itself', () => {
    const own = { spec: { resources: { requests: { memory: '1Gi', cpu: '100m' } } } };
    expect(expandOverlay(own, podWith(resources))).toBe(own);
  });
});

test('fits resources whose own parts are constant', () => {
  const found = { spec: { containers: [{ name: 'app', resources: { limits: { cpu: '50m' } } }] } };
  const overlay = { spec: { containers: [{ name: 'app', resources: { requests: { cpu: '100m' } } }] } };
  expect(expandOverlay(overlay, found, constantParts(overlay))).toEqual({
    spec: { containers: [{ name: 'app', resources: { requests: { cpu: '50m' } } }] },
  });
});

test.each<[boolean, JsonObject]>([
  [false, { metadata: { labels: { team: { $cel: 'variables.team' } } } }],
  [false, { spec: { containers: [{ name: '*', image: { $force: { $cel: 'item.image' } } }] } }],
  [
    false,
    {
      spec: {
        containers: [
          { name: 'web*', tty: true },
          { name: '*', $when: 'item.tty', stdin: true },
        ],
      },
    },
  ],
  [true, { spec: { containers: [{ name: '*', tty: true }] } }],
  [true, { spec: { containers: [{ $absent: { name: 'web*' } }] } }],
  [true, { spec: { terminationGracePeriodSeconds: { $atLeast: { $cel: '30' } } } }],
  [true, { spec: { containers: [{ name: 'web', $when: 'true', resources: { requests: { cpu: '1' } } }] } }],
])('knows whether expressions leave something to expand: %s for %j', (expected, overlay) => {
  expect(needsExpansion(overlay)).toBe(expected);
});
