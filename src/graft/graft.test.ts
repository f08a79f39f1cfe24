import { describe, expect, test } from 'vitest';
import { applyPatch } from '../json/apply-patch.ts';
import type { JsonObject } from '../json/json.ts';
import { shapeOf } from '../kube/shape-of.ts';
import { absent, force, tokens } from './directive.ts';
import { graft } from './graft.ts';

const POD = shapeOf('v1', 'Pod');
const pod = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', ...metadata },
  spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
});

/** Grafts, and checks on the way that the patch says the same and that a second graft has nothing to add. */
function grafted(object: JsonObject, overlay: object, shape = POD) {
  const result = graft(object, overlay as JsonObject, shape);
  expect(applyPatch(object, result.patch)).toEqual(result.object);
  expect(graft(result.object, overlay as JsonObject, shape).patch).toEqual([]);
  return result;
}

describe('filling', () => {
  test('creates a missing parent in the same operation', () => {
    const { patch } = grafted(pod(), { metadata: { annotations: { a: '1', b: '2' } } });
    expect(patch).toEqual([{ op: 'add', path: '/metadata/annotations', value: { a: '1', b: '2' } }]);
  });

  test('escapes slashes and tildes in keys', () => {
    const { patch } = grafted(pod({}, { annotations: {} }), { metadata: { annotations: { 'a/b~c': '1' } } });
    expect(patch).toEqual([{ op: 'add', path: '/metadata/annotations/a~1b~0c', value: '1' }]);
  });

  test('treats null as absent', () => {
    const { patch } = grafted(pod({}, { labels: null }), { metadata: { labels: { a: '1' } } });
    expect(patch).toEqual([{ op: 'replace', path: '/metadata/labels', value: { a: '1' } }]);
  });

  test('keeps what the object says, and reports it', () => {
    const { patch, kept } = grafted(pod({}, { labels: { team: 'b' } }), {
      metadata: { labels: { team: 'a' } },
    });
    expect(patch).toEqual([]);
    expect(kept).toEqual([{ path: '/metadata/labels/team', found: 'b', wanted: 'a' }]);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('treats the key %s as data', (key) => {
    const labels = JSON.parse(`{"${key}": "x"}`) as JsonObject;
    const { object, patch } = grafted(pod({}, { labels: {} }), { metadata: { labels } });
    expect(patch).toEqual([{ op: 'add', path: `/metadata/labels/${key}`, value: 'x' }]);
    expect(Object.keys((object.metadata as JsonObject).labels as JsonObject)).toEqual([key]);
    const found = pod({}, { labels: JSON.parse(`{"${key}": "y"}`) as JsonObject });
    expect(grafted(found, { metadata: { labels } }).kept).toHaveLength(1);
  });

  test('shares with the input what it does not touch', () => {
    const input = pod();
    const { object } = grafted(input, { metadata: { labels: { a: '1' } } });
    expect(object.spec).toBe(input.spec);
  });

  test('leaves a value of another type alone', () => {
    const { patch, kept } = grafted(pod({ volumes: 'none' }), {
      spec: { volumes: [{ name: 'a', emptyDir: {} }] },
    });
    expect(patch).toEqual([]);
    expect(kept).toHaveLength(1);
  });

  test('keeps numbers beyond 2^53 by not touching them', () => {
    const { patch } = grafted(JSON.parse('{"spec":{"big":9007199254740993}}'), {
      metadata: { labels: { a: '1' } },
    });
    expect(patch).toEqual([{ op: 'add', path: '/metadata', value: { labels: { a: '1' } } }]);
  });
});

describe('keyed lists', () => {
  test('appends a container whose name is new', () => {
    const { patch } = grafted(pod(), { spec: { containers: [{ name: 'proxy', image: 'p' }] } });
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'p' } }]);
  });

  test('fills a container that is there', () => {
    const { patch } = grafted(pod(), {
      spec: { containers: [{ name: 'web', env: [{ name: 'A', value: '1' }] }] },
    });
    expect(patch).toEqual([
      { op: 'add', path: '/spec/containers/0/env', value: [{ name: 'A', value: '1' }] },
    ]);
  });

  test('finds mounts by mountPath', () => {
    const object = pod({
      containers: [{ name: 'web', volumeMounts: [{ name: 'own', mountPath: '/logs' }] }],
    });
    const mount = (name: string, mountPath: string) => ({
      spec: { containers: [{ name: 'web', volumeMounts: [{ name, mountPath }] }] },
    });
    expect(grafted(object, mount('logs', '/logs')).kept).toHaveLength(1);
    expect(grafted(object, mount('logs', '/other')).patch).toHaveLength(1);
  });

  test('finds ports by number and protocol, TCP where it is not said', () => {
    const object = pod({ containers: [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP' }] }] });
    const port = (port: JsonObject) => ({ spec: { containers: [{ name: 'web', ports: [port] }] } });
    expect(grafted(object, port({ containerPort: 80 })).patch).toEqual([]);
    expect(grafted(object, port({ containerPort: 80, protocol: 'UDP' })).patch).toHaveLength(1);
  });

  test('takes the last of repeated env names', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const overlay = { spec: { containers: [{ name: 'web', env: [{ name: 'A', value: force('3') }] }] } };
    const { patch } = grafted(pod({ containers: [{ name: 'web', env }] }), overlay);
    expect(patch).toEqual([{ op: 'replace', path: '/spec/containers/0/env/1/value', value: '3' }]);
  });

  test('refuses an item without its key', () => {
    expect(() => graft(pod(), { spec: { containers: [{ image: 'x' }] } }, POD)).toThrow(
      'Cannot merge overlay at "/spec/containers": an item needs "name"',
    );
  });
});

describe('unions', () => {
  const env = (entry: JsonObject) => pod({ containers: [{ name: 'web', env: [{ name: 'A', ...entry }] }] });
  const want = (entry: object) => ({
    spec: { containers: [{ name: 'web', env: [{ name: 'A', ...entry }] }] },
  });
  const valueFrom = { fieldRef: { fieldPath: 'metadata.name' } };

  test('never puts a value beside valueFrom', () => {
    expect(grafted(env({ valueFrom }), want({ value: 'x' })).patch).toEqual([]);
    expect(grafted(env({ value: 'x' }), want({ valueFrom })).patch).toEqual([]);
  });

  test('takes the other side away when one is forced', () => {
    const { object } = grafted(env({ valueFrom }), want({ value: force('x') }));
    expect(object).toEqual(env({ value: 'x' }));
  });

  test('leaves an env entry that was set to the empty string, which the API server leaves out', () => {
    expect(grafted(env({}), want({ value: 'x' })).patch).toEqual([]);
    expect(grafted(env({}), want({ value: '' })).kept).toEqual([]);
    expect(grafted(env({}), want({ value: tokens(' ', 'x') })).object).toEqual(env({ value: 'x' }));
  });

  test('takes a volume source whole', () => {
    const volumes = [{ name: 'v', emptyDir: { medium: 'Memory' } }];
    const overlay = { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } };
    expect(grafted(pod({ volumes }), overlay).patch).toEqual([]);
    expect(grafted(pod({ volumes }), { spec: { volumes: [{ name: 'v', emptyDir: {} }] } }).kept).toEqual([]);
  });
});

describe('sets and atomic lists', () => {
  test('adds a toleration that no other covers', () => {
    const tolerations = [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }];
    expect(grafted(pod({ tolerations }), { spec: { tolerations: [{ key: 'a' }] } }).patch).toEqual([]);
    expect(grafted(pod({ tolerations }), { spec: { tolerations: [{ key: 'b' }] } }).patch).toHaveLength(1);
  });

  test('fills a command or leaves it', () => {
    const object = pod({ containers: [{ name: 'web', command: ['sh'] }] });
    const overlay = { spec: { containers: [{ name: 'web', command: ['bash'], args: ['-c'] }] } };
    const { patch, kept } = grafted(object, overlay);
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/0/args', value: ['-c'] }]);
    expect(kept).toHaveLength(1);
  });

  test('merges maps deep and lists whole where a kind has no shape', () => {
    const widget = { metadata: {}, spec: { a: { b: 1 }, list: [1] } };
    const overlay = { spec: { a: { c: 2 }, list: [2], other: [3] } };
    const { object } = grafted(widget, overlay, shapeOf('example.com/v1', 'Widget'));
    expect(object).toEqual({ metadata: {}, spec: { a: { b: 1, c: 2 }, list: [1], other: [3] } });
  });
});

describe('directives', () => {
  test('force replaces only what does not cover the value', () => {
    const object = pod({ containers: [{ name: 'web', resources: { limits: { cpu: '1' } } }] });
    const limits = (cpu: string) => ({
      spec: { containers: [{ name: 'web', resources: { limits: { cpu: force(cpu) } } }] },
    });
    expect(grafted(object, limits('1000m')).patch).toEqual([]);
    expect(grafted(object, limits('2')).patch).toHaveLength(1);
  });

  test('absent removes a field, and items by their key', () => {
    const object = pod({ containers: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], hostNetwork: true });
    const result = grafted(object, { spec: { hostNetwork: absent(), containers: [absent({ name: 'a' })] } });
    expect(result.object.spec).toEqual({ containers: [{ name: 'b' }] });
    expect(result.patch.map(({ op, path }) => `${op} ${path}`)).toEqual([
      'remove /spec/hostNetwork',
      'remove /spec/containers/2',
      'remove /spec/containers/0',
    ]);
  });

  test('absent removes from a list without keys what covers the value', () => {
    const containers = [{ name: 'web', securityContext: { capabilities: { add: ['NET_RAW', 'CHOWN'] } } }];
    const add = [absent('NET_RAW'), 'KILL'];
    const result = grafted(pod({ containers }), {
      spec: { containers: [{ name: 'web', securityContext: { capabilities: { add } } }] },
    });
    expect(JSON.stringify(result.object)).toContain('["CHOWN","KILL"]');
  });

  test('absent where nothing is, is nothing', () => {
    expect(
      grafted(pod(), { metadata: { labels: { a: absent() } }, spec: { volumes: [absent({ name: 'x' })] } })
        .patch,
    ).toEqual([]);
  });

  test.each([
    ['', '-a --require /b.js', '-a --require /b.js'],
    ['-x', '-a --require /b.js', '-x -a --require /b.js'],
    ['-x --require /b.js', '-a --require /b.js', '-x --require /b.js -a'],
    ['-ax', '-a --require /b.js', '-ax -a --require /b.js'],
    ['-x ', '-a --require /b.js', '-x -a --require /b.js'],
  ])('tokens appended to %j give what is missing', (found, _, expected) => {
    const object = pod({ containers: [{ name: 'web', env: [{ name: 'O', value: found }] }] });
    const value = tokens(' ', '-a', '--require /b.js');
    const result = grafted(object, { spec: { containers: [{ name: 'web', env: [{ name: 'O', value }] }] } });
    expect(result.object).toEqual(
      pod({ containers: [{ name: 'web', env: [{ name: 'O', value: expected }] }] }),
    );
  });
});

describe('$at', () => {
  const names = (object: JsonObject) =>
    ((object.spec as JsonObject).containers as JsonObject[]).map(({ name }) => name).join('');
  const containers = (text: string) => pod({ containers: [...text].map((name) => ({ name })) });
  const place = (...items: object[]) => ({ spec: { containers: items } });

  test.each([
    ['ab', [{ name: 'x', $at: 'first' }], 'xab'],
    [
      'ab',
      [
        { name: 'x', $at: 'first' },
        { name: 'y', $at: 'first' },
      ],
      'xyab',
    ],
    [
      'ab',
      [
        { name: 'x', $at: { before: 'b' } },
        { name: 'y', $at: { before: 'b' } },
      ],
      'axyb',
    ],
    [
      'ab',
      [
        { name: 'x', $at: { after: 'a' } },
        { name: 'y', $at: { after: 'a' } },
      ],
      'axyb',
    ],
    ['ab', [{ name: 'x', $at: { before: 'z' } }], 'abx'],
    ['ab', [{ name: 'x', $at: 'last' }], 'abx'],
    ['axb', [{ name: 'x', $at: 'first' }], 'axb'],
    ['axb', [{ name: 'x', $at: { first: true, keep: true } }], 'xab'],
    [
      'axb',
      [
        { name: 'x', $at: { last: true, keep: true } },
        { name: 'y', $at: { last: true, keep: true } },
      ],
      'abxy',
    ],
    ['axb', [{ name: 'x', $at: { after: 'b', keep: true } }], 'abx'],
    ['abx', [{ name: 'x', $at: { before: 'b', keep: true } }], 'axb'],
    [
      'cba',
      [
        { name: 'a', $at: { before: 'b', keep: true } },
        { name: 'b', $at: { before: 'c', keep: true } },
      ],
      'abc',
    ],
    ['a', [{ name: 'x', $at: { after: 'y', keep: true } }, { name: 'y' }], 'ayx'],
  ])('%s with %j is %s', (before, items, after) => {
    expect(names(grafted(containers(before), place(...items)).object)).toBe(after);
  });

  test('orders new items among themselves where there is no list yet', () => {
    const volumes = [{ name: 'b' }, { name: 'a', $at: 'first' }];
    expect(grafted(pod(), { spec: { volumes } }).patch).toEqual([
      { op: 'add', path: '/spec/volumes', value: [{ name: 'a' }, { name: 'b' }] },
    ]);
  });
});
