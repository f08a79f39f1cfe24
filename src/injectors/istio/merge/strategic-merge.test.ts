import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../sdk/index.ts';
import { podMerge } from '../generated/merge-schema.ts';
import { strategicMerge } from './strategic-merge.ts';

const merge = (original: JsonObject, patch: JsonObject) => strategicMerge(original, patch, podMerge);
const names = (pod: JsonObject) =>
  ((pod.spec as JsonObject).containers as unknown as { name: string }[]).map(({ name }) => name);
const containers = (...list: string[]) => ({ spec: { containers: list.map((name) => ({ name })) } });

describe('strategicMerge', () => {
  test('merges maps, replaces values and lists, and removes with null', () => {
    const original = {
      metadata: { labels: { a: '1', b: '2' } },
      spec: { tolerations: [{ key: 'a' }], x: 1 },
    };
    const patch = {
      metadata: { labels: { a: null, c: '3' } },
      spec: { tolerations: [{ key: 'b' }], x: null },
    };
    expect(merge(original, patch)).toEqual({
      metadata: { labels: { b: '2', c: '3' } },
      spec: { tolerations: [{ key: 'b' }] },
    });
  });

  test('returns the original if nothing changes', () => {
    const original = { spec: { containers: [{ name: 'a', args: ['x'], env: [{ name: 'E', value: '1' }] }] } };
    const patch = { spec: { containers: [{ name: 'a', args: ['x'], image: null }], volumes: [] } };
    expect(merge(original, patch)).toBe(original);
  });

  test("puts the patch's items first, in the patch's order, and interleaves those of the original", () => {
    expect(names(merge(containers('a', 'b'), containers('x', 'y')))).toEqual(['x', 'y', 'a', 'b']);
    expect(names(merge(containers('a', 'b', 'c'), containers('c', 'x')))).toEqual(['a', 'b', 'c', 'x']);
    expect(names(merge(containers('a', 'b', 'c'), containers('b', 'a')))).toEqual(['b', 'a', 'c']);
    expect(names(merge(containers('a', 'b', 'c'), containers('x', 'c')))).toEqual(['x', 'a', 'b', 'c']);
  });

  test('adds without nulls, directives and empty lists', () => {
    const patch = {
      spec: {
        volumes: [
          { name: 'v', emptyDir: null },
          { $patch: 'delete', name: 'w' },
        ],
        hostAliases: [],
      },
    };
    expect(merge({}, patch)).toEqual({ spec: { volumes: [{ name: 'v' }] } });
  });

  test('empties a map by $patch: delete, and adds nothing where there is no such map', () => {
    const remove = { spec: { dnsConfig: { $patch: 'delete' } } };
    expect(merge({ spec: { dnsConfig: { searches: ['a'] } } }, remove)).toEqual({ spec: { dnsConfig: {} } });
    expect(merge({ spec: {} }, remove)).toEqual({ spec: {} });
    expect(merge({}, remove)).toEqual({ spec: {} });
    const replace = { spec: { dnsConfig: { $patch: 'replace', searches: ['b'] } } };
    expect(merge({ spec: {} }, replace)).toEqual({ spec: {} });
    expect(() => merge({ spec: {} }, { spec: { $patch: 'merge' } })).toThrow('"$patch" is neither');
  });

  test('follows the directives of lists', () => {
    const original = containers('a', 'b', 'c');
    const remove = { spec: { containers: [{ $patch: 'delete', name: 'b' }] } };
    expect(names(merge(original, remove))).toEqual(['a', 'c']);
    const replace = { spec: { containers: [{ $patch: 'replace' }, { name: 'z' }] } };
    expect(names(merge(original, replace))).toEqual(['z']);
    const order = { spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }] } };
    expect(names(merge(original, order))).toEqual(['c', 'a', 'b']);
  });

  test('follows the directives of maps and of lists of scalars', () => {
    const original = {
      metadata: { finalizers: ['a', 'b'] },
      spec: { volumes: [{ name: 'v', emptyDir: {} }] },
    };
    const patch = {
      metadata: { finalizers: ['c'], '$deleteFromPrimitiveList/finalizers': ['a'] },
      spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'csi'], csi: { driver: 'd' } }] },
    };
    const merged = merge(original, patch);
    expect(merged.spec).toEqual({ volumes: [{ name: 'v', csi: { driver: 'd' } }] });
    expect(new Set((merged.metadata as JsonObject).finalizers as string[])).toEqual(new Set(['b', 'c']));
    const replace = { spec: { $patch: 'replace', hostname: 'h' } };
    expect(merge(original, replace).spec).toEqual({ hostname: 'h' });
  });

  test('rejects an item without its key', () => {
    expect(() => merge(containers('a'), { spec: { containers: [{ image: 'i' }] } })).toThrow('no "name"');
    expect(() => merge({ spec: {} }, { spec: { volumes: [{ emptyDir: {} }] } })).toThrow('no "name"');
  });

  test('treats a key named __proto__ as data', () => {
    const patch = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}') as JsonObject;
    expect(JSON.stringify(merge({ metadata: { labels: {} } }, patch))).toBe(JSON.stringify(patch));
  });
});

test('directives that list many keys or values take linear time', () => {
  const many = (prefix: string) => Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`);
  const original = { ...Object.fromEntries(many('k').map((key) => [key, 1])), args: many('a') };
  const start = performance.now();
  const merged = merge(original, {
    $retainKeys: [...many('x'), 'args', 'k5'],
    '$deleteFromPrimitiveList/args': [...many('x'), 'a7'],
  });
  expect(merged).toEqual({ args: many('a').toSpliced(7, 1), k5: 1 });
  // It took seconds.
  expect(performance.now() - start).toBeLessThan(500);
});
