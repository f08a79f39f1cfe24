import { expect, test } from 'vitest';
import { planEnv } from '../plan/env-plan.ts';
import {
  attributeOf,
  attributesFrom,
  extendAttributes,
  imageVersion,
  sortedByKey,
} from './resource-attributes.ts';

const NAME = 'OTEL_RESOURCE_ATTRIBUTES';
const attributes = { 'a.b': '1', a: '2', c: '3' };

test.each([
  ['', 'a=2,a.b=1,c=3'],
  ['x=y', 'x=y,a=2,a.b=1,c=3'],
  ['x=y,', 'x=y,a=2,a.b=1,c=3'],
  ['a=mine, c=mine', 'a=mine, c=mine,a.b=1'],
  // Neither a longer key nor a value matches the key.
  ['aa=1,x=a', 'aa=1,x=a,a=2,a.b=1,c=3'],
  ['c=1,a.b=2,a=3', 'c=1,a.b=2,a=3'],
])('"%s" is extended to "%s"', (value, expected) => {
  const env = planEnv(value === '' ? [] : [{ name: NAME, value }]);
  extendAttributes(env, attributesFrom(sortedByKey(new Map(Object.entries(attributes)))));
  expect(env.get(NAME)?.value).toBe(expected);
});

test('attributeOf matches the whole key', () => {
  const env = [{ name: NAME, value: 'k8s.pod.name=a, service.name=b' }];
  expect(attributeOf(env, 'service.name')).toBe('b');
  expect(attributeOf(env, 'name')).toBeUndefined();
  expect(attributeOf([], 'service.name')).toBeUndefined();
});

test.each([
  ['web', undefined],
  ['web:1', '1'],
  ['registry:5000/web', undefined],
  ['registry:5000/shop/web:1.2', '1.2'],
  ['web@sha256:abc', 'sha256:abc'],
  ['registry:5000/web:1.2@sha256:abc', '1.2@sha256:abc'],
  ['', undefined],
])('the version of "%s" is %s', (image, version) => {
  expect(imageVersion(image)).toBe(version);
});
