import { expect, it } from 'vitest';
import { fieldProblems, type Json, kindType, setMember } from '../../sdk/index.ts';
import { isSurelyValid, placeAt } from './surely-valid.ts';

const POD = { group: '', version: 'v1', kind: 'Pod' };
const type = kindType('v1', 'Pod');

/** The overlay that sets a value in this place. */
function overlayWith(keys: readonly string[], value: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const object: Record<string, Json> = {};
  setMember(object, key, overlayWith(rest, value));
  return object;
}

const PLACES = [
  'spec.priority',
  'spec.schedulerName',
  'spec.schedulerName.$force',
  'spec.schedulerName.$atLeast',
  'spec.restartPolicy',
  'spec.hostNetwork',
  'spec.terminationGracePeriodSeconds.$atLeast',
  'spec.overhead.cpu',
  'spec.securityContext',
  'spec.nodeSelector.disk',
  'spec.tolerations',
  'spec.misspelt',
  'metadata.labels.team',
  'metadata.labels.-bad-',
  'metadata.annotations.team',
  'metadata.annotations.-bad-',
];
const VALUES: readonly Json[] = [
  'text',
  'not a label',
  '',
  'Always',
  '100m',
  0,
  -1,
  1.5,
  2 ** 40,
  true,
  {},
  { a: 1 },
  [],
  ['a'],
];

it.each(PLACES)('accepts no value at %s that the check of the whole overlay rejects', (place) => {
  const keys = place.split('.');
  for (const value of VALUES) {
    if (type === undefined || !isSurelyValid(value, placeAt(keys), POD)) continue;
    expect(fieldProblems(overlayWith(keys, value), type), JSON.stringify(value)).toEqual([]);
  }
});

it.each<[string, Json]>([
  ['spec.schedulerName', 'text'],
  ['spec.schedulerName.$force', 'text'],
  ['spec.restartPolicy', 'Always'],
  ['spec.terminationGracePeriodSeconds.$atLeast', 40],
  ['spec.containers.env.value', 'text'],
  ['spec.containers.ports.containerPort', 80],
  ['metadata.annotations.team', 'any text'],
])('knows the common case: %s takes %j', (place, value) => {
  expect(isSurelyValid(value, placeAt(place.split('.')), POD)).toBe(true);
});

it('accepts everything for kinds without a known type', () => {
  const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };
  expect(isSurelyValid({ a: 1 }, placeAt(['spec', 'size']), kind)).toBe(true);
});
