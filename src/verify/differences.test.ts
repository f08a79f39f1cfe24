import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { differences } from './differences.ts';

const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec,
});
const app = { name: 'app', image: 'a' };
const side = { name: 'side', image: 's' };

test('items of keyed lists are compared by their keys, whatever their order', () => {
  expect(differences(pod({ containers: [app, side] }), pod({ containers: [side, app] }))).toEqual([]);
  const ports = (...list: number[]) => list.map((containerPort) => ({ containerPort, protocol: 'TCP' }));
  const before = pod({ containers: [{ ...app, ports: ports(80, 81) }] });
  const after = pod({ containers: [{ ...app, ports: ports(82, 81) }, side] });
  expect(differences(before, after)).toEqual([
    { path: 'spec.containers[app].ports[80,TCP]', type: 'removed' },
    { path: 'spec.containers[app].ports[82,TCP]', type: 'added' },
    { path: 'spec.containers[side]', type: 'added' },
  ]);
});

test('lists of strings are compared as a whole', () => {
  const before = pod({ containers: [{ ...app, args: ['a', 'b'] }] });
  const after = pod({ containers: [{ ...app, args: ['b', 'a'] }] });
  expect(differences(before, after)).toEqual([{ path: 'spec.containers[app].args', type: 'changed' }]);
});

test('two items with the same key are counted separately', () => {
  expect(differences(pod({ containers: [app] }), pod({ containers: [app, app] }))).toEqual([
    { path: 'spec.containers[app #2]', type: 'added' },
  ]);
});

test('what the API server sets does not count', () => {
  const volume = (name: string) => pod({ containers: [app], volumes: [{ name }] });
  expect(differences(volume('kube-api-access-abcde'), volume('kube-api-access-fghij'))).toEqual([]);
  const stored = {
    ...pod({}, { uid: 'x', resourceVersion: '1', managedFields: [] }),
    status: { phase: 'Pending' },
  };
  expect(differences(pod({}), stored)).toEqual([]);
  const named = (name: string) => pod({}, { name, generateName: 'web-' });
  expect(differences(named('web-1'), named('web-2'))).toEqual([]);
});

test('keys with special characters are put in brackets', () => {
  const after = pod({}, { annotations: { 'a.b/c': 'd' } });
  expect(differences(pod({}, { annotations: {} }), after)).toEqual([
    { path: 'metadata.annotations[a.b/c]', type: 'added' },
  ]);
});
