import { expect, test } from 'vitest';
import { parseIdentities, parseRoleMap } from './account-lists.ts';
import { readSettings } from './settings.ts';

test('the container-credentials file lists accounts by namespace and name', () => {
  const text = '{"identities": [{"namespace": "a", "serviceAccount": "b", "more": 1}], "version": 2}';
  expect([...parseIdentities(text)]).toEqual(['a/b']);
});

test('the keys of the file are case-insensitive, as in Go', () => {
  const text = '{"Identities": [{"Namespace": "a", "serviceaccount": "b"}]}';
  expect([...parseIdentities(text)]).toEqual(['a/b']);
});

test.each(['', 'null', '{}', '{"identities": null}', '{"identities": []}'])(
  'the file %j lists no accounts',
  (text) => {
    expect(parseIdentities(text).size).toBe(0);
  },
);

test.each(['{"identities": [', ' ', '[]', '{"identities": {}}'])('the file %j is invalid', (text) => {
  expect(() => parseIdentities(text)).toThrow();
});

test.each([
  'null',
  '5',
  '[]',
  '{"namespace": "a"}',
  '{"serviceAccount": "b"}',
  '{"namespace": "a", "serviceAccount": ""}',
  '{"namespace": "a", "serviceAccount": 7}',
])('the entry %s is skipped and reported, and the others count', (entry) => {
  const problems: string[] = [];
  const text = `{"identities": [{"namespace": "a", "serviceAccount": "b"}, ${entry}, {"namespace": "c", "serviceAccount": "d"}]}`;
  expect([...parseIdentities(text, (problem) => problems.push(problem))]).toEqual(['a/b', 'c/d']);
  expect(problems).toEqual(['identities[1] is skipped: expected "namespace" and "serviceAccount"']);
});

const configMap = (data: unknown) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data });

test('the ConfigMap of roles is parsed once for each of its states', () => {
  const { roleMapOf } = readSettings({});
  const state = configMap({ config: '{"a/b": {"RoleARN": "x"}}' });
  expect(roleMapOf(state)).toBe(roleMapOf(state));
  expect(roleMapOf(state)).not.toBe(roleMapOf({ ...state }));
});

test('the keys of a role are case-insensitive, as in Go', () => {
  const map = parseRoleMap(configMap({ config: '{"a/b": {"roleARN": "x", "useRegionalSts": true}}' }), 900);
  const role = { roleArn: 'x', audience: '', regionalSts: true, expiration: 900 };
  expect(map).toEqual({ roles: new Map([['a/b', role]]) });
});

test('a null entry of the ConfigMap has no role, and the others count', () => {
  const map = parseRoleMap(configMap({ config: '{"a/b": null, "a/c": {"RoleARN": "x"}}' }), 900);
  const role = { roleArn: 'x', audience: '', regionalSts: false, expiration: 900 };
  expect(map).toEqual({
    roles: new Map([
      ['a/b', { ...role, roleArn: '' }],
      ['a/c', role],
    ]),
  });
});

test.each([
  [undefined, 'missing key "config"'],
  [{ other: '' }, 'missing key "config"'],
  [{ config: '{' }, 'key "config": invalid JSON'],
  [{ config: '{"a/b": {"RoleARN": 1}}' }, 'key "config": a/b.rolearn: expected string, found 1'],
])('ConfigMap data %j is invalid: %s', (data, problem) => {
  expect(parseRoleMap(configMap(data), 900)).toEqual({ problem });
});
