import { expect, test } from 'vitest';
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
