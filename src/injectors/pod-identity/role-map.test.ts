import { expect, test } from 'vitest';
import { roleMapOf } from './role-map.ts';

const configMap = (data: unknown) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data });

test('is read once for each state of the ConfigMap', () => {
  const state = configMap({ config: '{"a/b": {"RoleARN": "x"}}' });
  expect(roleMapOf(state)).toBe(roleMapOf(state));
  expect(roleMapOf(state)).not.toBe(roleMapOf({ ...state }));
});

test('does not care about the case of names, as Go does not', () => {
  const map = roleMapOf(configMap({ config: '{"a/b": {"roleARN": "x", "useRegionalSts": true}}' }));
  const role = { roleArn: 'x', audience: '', regionalSts: true, expiration: 0 };
  expect(map).toEqual({ roles: new Map([['a/b', role]]) });
});

test.each([
  [undefined, 'no key "config"'],
  [{ other: '' }, 'no key "config"'],
  [{ config: '{' }, 'key "config": not JSON'],
  [{ config: '{"a/b": {"RoleARN": 1}}' }, 'key "config": a/b.rolearn: expected string, found 1'],
])('%j is of no use: %s', (data, problem) => {
  expect(roleMapOf(configMap(data))).toEqual({ problem });
});
