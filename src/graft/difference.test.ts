import fc from 'fast-check';
import { applyPatch as applyIndependently } from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { deepFreeze } from '../testing/laws.ts';
import { graftTarget } from './graft.ts';
import { shapeOf } from './shape-of.ts';

const POD = shapeOf('v1', 'Pod');
const spec = (value: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', spec: value });
const named = (...names: string[]): JsonObject[] => names.map((name) => ({ name, image: `${name}:1` }));

describe('graftTarget', () => {
  test('sets zero values in lists of custom resources, item by item', () => {
    const thing = (items: readonly Json[]): JsonObject => ({ kind: 'Thing', spec: { items } });
    const { patch } = graftTarget(
      thing([{ name: 'a' }, { name: 'b', old: 1 }]),
      thing([{ name: 'a', enabled: false }, { name: 'b' }]),
      shapeOf('example.com/v1', 'Thing'),
    );
    expect(patch).toEqual([
      { op: 'add', path: '/spec/items/0/enabled', value: false },
      { op: 'remove', path: '/spec/items/1/old' },
    ]);
  });

  test('inserts, moves and removes items by their keys', () => {
    const object = spec({ containers: named('a', 'b', 'c') });
    const target = spec({ containers: [{ name: 'new' }, ...named('b', 'a')] });
    const { patch } = graftTarget(object, target, POD);
    expect(patch).toEqual([
      { op: 'remove', path: '/spec/containers/2' },
      { op: 'add', path: '/spec/containers/0', value: { name: 'new' } },
      { op: 'move', from: '/spec/containers/2', path: '/spec/containers/1' },
    ]);
  });

  test('moves only the item that is out of place', () => {
    const object = spec({ containers: named('a', 'b', 'c', 'd') });
    const { patch } = graftTarget(object, spec({ containers: named('b', 'c', 'd', 'a') }), POD);
    expect(patch).toEqual([{ op: 'move', from: '/spec/containers/0', path: '/spec/containers/3' }]);
  });

  test('changes an item in place and preserves its unknown fields', () => {
    const [a, b] = named('a', 'b') as [JsonObject, JsonObject];
    const newer = { ...a, newerField: { deep: [1] } };
    const object = spec({ containers: [newer, b] });
    const { patch } = graftTarget(object, spec({ containers: [b, { ...newer, image: 'a:2' }] }), POD);
    expect(patch).toEqual([
      { op: 'move', from: '/spec/containers/1', path: '/spec/containers/0' },
      { op: 'replace', path: '/spec/containers/1/image', value: 'a:2' },
    ]);
  });

  test('preserves the order of members, and adds new ones at the end', () => {
    const object = spec({ hostname: 'a', nodeSelector: { a: '1', b: '2' } });
    const target = spec({ subdomain: 'b', nodeSelector: { b: '2', c: '3', a: '2' }, hostname: 'a' });
    const { object: next } = graftTarget(object, target, POD);
    expect(JSON.stringify(next.spec)).toBe(
      '{"hostname":"a","nodeSelector":{"a":"2","b":"2","c":"3"},"subdomain":"b"}',
    );
  });

  test('keeps what means the same as the target, beside changes', () => {
    const limits = { cpu: '1' };
    const object = deepFreeze(
      spec({
        containers: [
          { name: 'a', resources: { limits }, env: null },
          { name: 'b', stdin: false },
        ],
      }),
    );
    const target = deepFreeze(
      spec({
        containers: [{ name: 'a', resources: { limits: { cpu: '1000m' } }, tty: true }, { name: 'b' }],
      }),
    );
    expect(graftTarget(object, target, POD).object).toEqual(
      spec({
        containers: [
          { name: 'a', resources: { limits }, env: null, tty: true },
          { name: 'b', stdin: false },
        ],
      }),
    );
  });

  test('skips shared parts', () => {
    const shared = new Proxy({ name: 'a' }, { ownKeys: () => expect.unreachable() });
    const object = spec({ containers: [shared], hostNetwork: true });
    const { patch } = graftTarget(object, spec({ containers: [shared] }), POD);
    expect(patch).toEqual([{ op: 'remove', path: '/spec/hostNetwork' }]);
  });

  test('keeps values that the API server treats as equal', () => {
    const found = spec({
      containers: [
        { name: 'a', resources: { limits: { cpu: '2' } } },
        { name: 'b', resources: {} },
      ],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', downwardAPI: { defaultMode: 420, items: [{ path: 'labels', fieldRef: ref('v1') }] } },
      ],
    });
    const target = spec({
      containers: [{ name: 'a', resources: { limits: { cpu: '2000m' } } }, { name: 'b' }],
      volumes: [{ name: 'v' }, { name: 'w', downwardAPI: { items: [{ path: 'labels', fieldRef: ref() }] } }],
      hostNetwork: false,
    });
    expect(graftTarget(found, target, POD)).toEqual({ object: found, patch: [], kept: [] });
  });

  test('removes an empty volume source that another one replaces', () => {
    const { patch } = graftTarget(
      spec({ volumes: [{ name: 'v', emptyDir: {} }] }),
      spec({ volumes: [{ name: 'v', csi: { driver: 'd' } }] }),
      POD,
    );
    expect(patch).toEqual([
      { op: 'remove', path: '/spec/volumes/0/emptyDir' },
      { op: 'add', path: '/spec/volumes/0/csi', value: { driver: 'd' } },
    ]);
  });

  test('distinguishes repeated keys by their position', () => {
    const env = (...values: string[]) =>
      spec({ containers: [{ name: 'a', env: values.map((value) => ({ name: 'X', value })) }] });
    const { object } = graftTarget(env('1', '2'), env('1', '3', '4'), POD);
    expect(object).toEqual(env('1', '3', '4'));
  });
});

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
const text = fc.constantFrom('x', 'y', '~/');
const env = fc.array(fc.record({ name, value: text }), { maxLength: 5 });
const container = fc.record(
  {
    name,
    image: text,
    env,
    args: fc.array(text, { maxLength: 3 }),
    ports: fc.array(fc.record({ containerPort: fc.constantFrom(80, 81) }), { maxLength: 2 }),
    newerField: fc.array(fc.record({ name, value: text }), { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);
const pod = fc.record({
  metadata: fc.record({ labels: fc.dictionary(fc.constantFrom('a', 'a/b', 'a~b', 'constructor'), text) }),
  spec: fc.record({
    containers: fc.array(container, { maxLength: 5 }),
    tolerations: fc.array(fc.record({ key: text }), { maxLength: 3 }),
  }),
});

describe('for any two Pods', () => {
  test('the patch, applied independently, gives the target, and a second graft is empty', () => {
    fc.assert(
      fc.property(pod, pod, (from, to) => {
        const [object, target] = [deepFreeze(from), deepFreeze(to)] as unknown as [JsonObject, JsonObject];
        const grafted = graftTarget(object, target, POD);
        const copy = structuredClone(object) as Json;
        const errors = applyIndependently(copy, structuredClone(grafted.patch) as never);
        expect(errors.every((error) => error === null)).toBe(true);
        expect(copy).toEqual(target);
        expect(applyPatch(object, grafted.patch)).toEqual(target);
        expect(grafted.object).toEqual(target);
        expect(graftTarget(grafted.object, target, POD).patch).toEqual([]);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) },
    );
  });
});

function ref(apiVersion?: string): JsonObject {
  return { ...(apiVersion !== undefined && { apiVersion }), fieldPath: 'metadata.labels' };
}
