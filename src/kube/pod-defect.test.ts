import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { podDefect } from './pod-defect.ts';

const withField = (field: unknown) =>
  ({ metadata: {}, spec: { containers: [{ name: 'web', field }] } }) as unknown as JsonObject;
const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;

test('a field that is nested deeply would overflow the stack of an injector', () => {
  expect(podDefect(withField(nested(90)))).toBeUndefined();
  expect(podDefect(withField(nested(100)))).toBe('spec is nested more than 100 levels deep');
  expect(podDefect(withField(nested(100_000)))).toBe('spec is nested more than 100 levels deep');
});

test('annotations beyond the limit of the API server are not read', () => {
  const withAnnotation = (length: number) =>
    ({ ...withField(''), metadata: { annotations: { key: 'x'.repeat(length) } } }) as JsonObject;
  expect(podDefect(withAnnotation(262_141))).toBeUndefined();
  expect(podDefect(withAnnotation(262_142))).toBe('metadata.annotations are longer than 262144 bytes');
});

test.each([
  ['null, as the API server encodes it', null],
  ['missing', undefined],
  ['empty', []],
])('a Pod whose containers are %s would become valid by a sidecar', (_, containers) => {
  expect(podDefect({ metadata: {}, spec: { containers } } as JsonObject)).toBe('spec.containers is missing');
});

test.each([
  ['resources', [], 'spec.containers[0].resources is not a map'],
  ['resources', { requests: [] }, 'spec.containers[0].resources.requests is not a map'],
  ['resources', { limits: 5 }, 'spec.containers[0].resources.limits is not a map'],
  ['securityContext', [], 'spec.containers[0].securityContext is not a map'],
  ['lifecycle', [], 'spec.containers[0].lifecycle is not a map'],
  ['readinessProbe', 'x', 'spec.containers[0].readinessProbe is not a map'],
  ['image', 5, 'spec.containers[0].image is not a string'],
  ['command', 'x', 'spec.containers[0].command is not a list'],
  ['args', {}, 'spec.containers[0].args is not a list'],
])('%s of another type: %j', (field, value, defect) => {
  const containers = [{ name: 'web', [field]: value }];
  expect(podDefect({ metadata: {}, spec: { containers } } as unknown as JsonObject)).toBe(defect);
});

test('a security context of the Pod that is a list', () => {
  const spec = { securityContext: [], containers: [{ name: 'web' }] };
  expect(podDefect({ metadata: {}, spec })).toBe('spec.securityContext is not a map');
});

test.each([
  ['web', 'metadata.ownerReferences is not a list'],
  [[null], 'metadata.ownerReferences[0] is not a map'],
  [[{ name: 'a' }], 'metadata.ownerReferences[0].kind is missing'],
  [[{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }], 'metadata.ownerReferences[0].name is missing'],
  [[{ apiVersion: 'apps/v1', kind: 5, name: 'a' }], 'metadata.ownerReferences[0].kind is not a string'],
])('incomplete owners: %j', (ownerReferences, defect) => {
  const spec = { containers: [{ name: 'web' }] };
  expect(podDefect({ metadata: { ownerReferences }, spec } as unknown as JsonObject)).toBe(defect);
});

test.each([
  [[], 'spec.dnsConfig is not a map'],
  [{ options: {} }, 'spec.dnsConfig.options is not a list'],
  [{ options: ['ndots'] }, 'spec.dnsConfig.options[0] is not a map'],
])('DNS settings of another type: %j', (dnsConfig, defect) => {
  const spec = { containers: [{ name: 'web' }], dnsConfig };
  expect(podDefect({ metadata: {}, spec } as unknown as JsonObject)).toBe(defect);
});
