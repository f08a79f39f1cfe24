import { describe, expect, test } from 'vitest';
import { grafted, POD, podWith } from '../../test/grafted.ts';
import type { JsonObject } from '../json/json.ts';
import { withApiDefaults } from '../testing/api-defaults.ts';
import { absent, force, tokens } from './directive.ts';
import { graft } from './graft.ts';
import { shapeOf } from './shape-of.ts';

describe('filling', () => {
  test('creates a missing parent in the same operation', () => {
    const { patch } = grafted(podWith(), { metadata: { annotations: { a: '1', b: '2' } } });
    expect(patch).toEqual([{ op: 'add', path: '/metadata/annotations', value: { a: '1', b: '2' } }]);
  });

  test('escapes slashes and tildes in keys', () => {
    const { patch } = grafted(podWith({}, { annotations: {} }), {
      metadata: { annotations: { 'a/b~c': '1' } },
    });
    expect(patch).toEqual([{ op: 'add', path: '/metadata/annotations/a~1b~0c', value: '1' }]);
  });

  test.each([{ labels: {} }, {}])('adds no text for tokens without parts: %j', (metadata) => {
    const overlay = { metadata: { labels: { a: tokens(' '), b: tokens(' ', '') } } };
    expect(grafted(podWith({}, metadata), overlay).patch).toEqual([]);
  });

  test.each([
    { resizePolicy: [] },
    { resizePolicy: force([]) },
    { ports: [] },
    { readinessProbe: { httpGet: { port: 80, httpHeaders: [] } } },
  ])('adds no list that the API server drops: %j', (settings) => {
    const overlay = { spec: { containers: [{ name: 'web', ...settings }] } };
    const { object } = grafted(podWith(), overlay);
    expect(grafted(withApiDefaults(object), overlay).patch).toEqual([]);
  });

  test('treats null as absent', () => {
    const { patch } = grafted(podWith({}, { labels: null }), { metadata: { labels: { a: '1' } } });
    expect(patch).toEqual([{ op: 'replace', path: '/metadata/labels', value: { a: '1' } }]);
  });

  test.each<[string, object, unknown]>([
    [
      'a new container',
      { name: 'a', resources: { limits: undefined, requests: { cpu: '1' } } },
      { name: 'a', resources: { requests: { cpu: '1' } } },
    ],
    ['a map without other members', { name: 'a', resources: { limits: undefined } }, { name: 'a' }],
    [
      'a forced value',
      { name: 'a', env: { $force: [{ name: 'A', value: undefined }] } },
      { name: 'a', env: [{ name: 'A' }] },
    ],
  ])('leaves out undefined members of %s', (_, item, expected) => {
    for (const spec of [{ containers: [] }, {}]) {
      const { object, patch } = graft({ spec }, { spec: { containers: [item] } } as JsonObject, POD);
      expect(object).toStrictEqual({ spec: { containers: [expected] } });
      expect(patch).toStrictEqual(JSON.parse(JSON.stringify(patch)));
    }
  });

  test('keeps and reports a different value', () => {
    const { patch, kept } = grafted(podWith({}, { labels: { team: 'b' } }), {
      metadata: { labels: { team: 'a' } },
    });
    expect(patch).toEqual([]);
    expect(kept).toEqual([{ path: '/metadata/labels/team', found: 'b', wanted: 'a' }]);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'treats the key %s as an ordinary key',
    (key) => {
      const labels = JSON.parse(`{"${key}": "x"}`) as JsonObject;
      const { object, patch } = grafted(podWith({}, { labels: {} }), { metadata: { labels } });
      expect(patch).toEqual([{ op: 'add', path: `/metadata/labels/${key}`, value: 'x' }]);
      expect(Object.keys((object.metadata as JsonObject).labels as JsonObject)).toEqual([key]);
      const found = podWith({}, { labels: JSON.parse(`{"${key}": "y"}`) as JsonObject });
      expect(grafted(found, { metadata: { labels } }).kept).toHaveLength(1);
    },
  );

  test('shares unchanged parts with the input', () => {
    const input = podWith();
    const { object } = grafted(input, { metadata: { labels: { a: '1' } } });
    expect(object.spec).toBe(input.spec);
  });

  test('keeps a value of another type', () => {
    const { patch, kept } = grafted(podWith({ volumes: 'none' }), {
      spec: { volumes: [{ name: 'a', emptyDir: {} }] },
    });
    expect(patch).toEqual([]);
    expect(kept).toHaveLength(1);
  });

  test('does not touch numbers beyond 2^53', () => {
    const { patch } = grafted(JSON.parse('{"spec":{"big":9007199254740993}}'), {
      metadata: { labels: { a: '1' } },
    });
    expect(patch).toEqual([{ op: 'add', path: '/metadata', value: { labels: { a: '1' } } }]);
  });
});

describe('keyed lists', () => {
  test('appends a container whose name is new', () => {
    const { patch } = grafted(podWith(), { spec: { containers: [{ name: 'proxy', image: 'p' }] } });
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'p' } }]);
  });

  test('fills an existing container', () => {
    const { patch } = grafted(podWith(), {
      spec: { containers: [{ name: 'web', env: [{ name: 'A', value: '1' }] }] },
    });
    expect(patch).toEqual([
      { op: 'add', path: '/spec/containers/0/env', value: [{ name: 'A', value: '1' }] },
    ]);
  });

  test('finds mounts by mountPath', () => {
    const object = podWith({
      containers: [{ name: 'web', volumeMounts: [{ name: 'own', mountPath: '/logs' }] }],
    });
    const mount = (name: string, mountPath: string) => ({
      spec: { containers: [{ name: 'web', volumeMounts: [{ name, mountPath }] }] },
    });
    expect(grafted(object, mount('logs', '/logs')).kept).toHaveLength(1);
    expect(grafted(object, mount('logs', '/other')).patch).toHaveLength(1);
  });

  test('finds ports by number and protocol, with TCP as the default', () => {
    const object = podWith({
      containers: [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP' }] }],
    });
    const port = (port: JsonObject) => ({ spec: { containers: [{ name: 'web', ports: [port] }] } });
    expect(grafted(object, port({ containerPort: 80 })).patch).toEqual([]);
    expect(grafted(object, port({ containerPort: 80, protocol: 'UDP' })).patch).toHaveLength(1);
  });

  test('uses the last entry of a repeated env name', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const overlay = { spec: { containers: [{ name: 'web', env: [{ name: 'A', value: force('3') }] }] } };
    const { patch } = grafted(podWith({ containers: [{ name: 'web', env }] }), overlay);
    expect(patch).toEqual([{ op: 'replace', path: '/spec/containers/0/env/1/value', value: '3' }]);
  });

  test('rejects an item without its key', () => {
    expect(() => graft(podWith(), { spec: { containers: [{ image: 'x' }] } }, POD)).toThrow(
      'Cannot merge overlay at "/spec/containers": an item needs "name"',
    );
  });
});

describe('unions', () => {
  const env = (entry: JsonObject) =>
    podWith({ containers: [{ name: 'web', env: [{ name: 'A', ...entry }] }] });
  const want = (entry: object) => ({
    spec: { containers: [{ name: 'web', env: [{ name: 'A', ...entry }] }] },
  });
  const valueFrom = { fieldRef: { fieldPath: 'metadata.name' } };

  test('never adds a value to an entry with valueFrom', () => {
    expect(grafted(env({ valueFrom }), want({ value: 'x' })).patch).toEqual([]);
    expect(grafted(env({ value: 'x' }), want({ valueFrom })).patch).toEqual([]);
  });

  test('removes the other member of a union if one is forced', () => {
    const { object } = grafted(env({ valueFrom }), want({ value: force('x') }));
    expect(object).toEqual(env({ value: 'x' }));
  });

  test('keeps an env entry with an empty value, which the API server omits', () => {
    expect(grafted(env({}), want({ value: 'x' })).patch).toEqual([]);
    expect(grafted(env({}), want({ value: '' })).kept).toEqual([]);
    expect(grafted(env({}), want({ value: tokens(' ', 'x') })).object).toEqual(env({ value: 'x' }));
  });

  test('names the member that is kept, and the one that was wanted', () => {
    const kept = (entry: JsonObject, wanted: object) => grafted(env(entry), want(wanted)).kept;
    const path = '/spec/containers/0/env/0';
    expect(kept({ valueFrom }, { value: tokens(' ', 'x') })).toEqual([
      { path: `${path}/valueFrom`, found: valueFrom, wanted: 'x', wantedField: 'value' },
    ]);
    expect(kept({ value: 'x' }, { valueFrom })).toEqual([
      { path: `${path}/value`, found: 'x', wanted: valueFrom, wantedField: 'valueFrom' },
    ]);
    expect(kept({}, { valueFrom })).toEqual([
      { path: `${path}/value`, found: '', wanted: valueFrom, wantedField: 'valueFrom' },
    ]);
    expect(kept({}, { value: 'x' })).toEqual([{ path: `${path}/value`, found: '', wanted: 'x' }]);
  });

  test('names the handler of a probe that is kept, and wants no directives', () => {
    const exec = { command: ['true'] };
    const probe = (readinessProbe: JsonObject) => podWith({ containers: [{ name: 'web', readinessProbe }] });
    const httpGet = { port: force(81), path: '/', host: absent() };
    const path = '/spec/containers/0/readinessProbe';
    expect(grafted(probe({ exec }), probe({ httpGet, periodSeconds: 5 })).kept).toEqual([
      { path: `${path}/exec`, found: exec, wanted: { port: 81, path: '/' }, wantedField: 'httpGet' },
      { path: `${path}/periodSeconds`, found: null, wanted: 5 },
    ]);
  });

  test('sets a volume source as a whole', () => {
    const volumes = [{ name: 'v', emptyDir: { medium: 'Memory' } }];
    const overlay = { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } };
    expect(grafted(podWith({ volumes }), overlay).patch).toEqual([]);
    expect(grafted(podWith({ volumes }), { spec: { volumes: [{ name: 'v', emptyDir: {} }] } }).kept).toEqual(
      [],
    );
  });
});

describe('sets and atomic lists', () => {
  test('adds a toleration that no other covers', () => {
    const tolerations = [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }];
    expect(grafted(podWith({ tolerations }), { spec: { tolerations: [{ key: 'a' }] } }).patch).toEqual([]);
    expect(grafted(podWith({ tolerations }), { spec: { tolerations: [{ key: 'b' }] } }).patch).toHaveLength(
      1,
    );
  });

  test('fills a missing command, and keeps an existing one', () => {
    const object = podWith({ containers: [{ name: 'web', command: ['sh'] }] });
    const overlay = { spec: { containers: [{ name: 'web', command: ['bash'], args: ['-c'] }] } };
    const { patch, kept } = grafted(object, overlay);
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/0/args', value: ['-c'] }]);
    expect(kept).toHaveLength(1);
  });

  test('merges maps deeply and keeps lists whole for unknown kinds', () => {
    const widget = { metadata: {}, spec: { a: { b: 1 }, list: [1] } };
    const overlay = { spec: { a: { c: 2 }, list: [2], other: [3] } };
    const { object } = grafted(widget, overlay, shapeOf('example.com/v1', 'Widget'));
    expect(object).toEqual({ metadata: {}, spec: { a: { b: 1, c: 2 }, list: [1], other: [3] } });
  });
});

describe('directives in a value that is set as a whole', () => {
  const overlay = { spec: { volumes: [{ name: 'a', emptyDir: { sizeLimit: force('1Gi') } }] } };
  const withVolume = (source: JsonObject) => podWith({ volumes: [{ name: 'a', ...source }] });

  test('replace only the field that they name', () => {
    const { patch, kept } = grafted(
      withVolume({ emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } }),
      overlay,
    );
    expect(patch).toEqual([{ op: 'replace', path: '/spec/volumes/0/emptyDir/sizeLimit', value: '1Gi' }]);
    expect(kept).toEqual([]);
  });

  test('add the field that they name', () => {
    const { patch } = grafted(withVolume({ emptyDir: {} }), overlay);
    expect(patch).toEqual([{ op: 'add', path: '/spec/volumes/0/emptyDir/sizeLimit', value: '1Gi' }]);
  });

  test('change nothing where another member of the union is set', () => {
    const { patch, kept } = grafted(withVolume({ configMap: { name: 'c' } }), overlay);
    expect(patch).toEqual([]);
    expect(kept).toMatchObject([{ path: '/spec/volumes/0/configMap', found: { name: 'c' } }]);
  });

  test('add a volume with the value', () => {
    const { object } = grafted(podWith(), overlay);
    expect((object.spec as JsonObject).volumes).toEqual([{ name: 'a', emptyDir: { sizeLimit: '1Gi' } }]);
  });

  test('do not turn one handler of a probe into another', () => {
    const container = { name: 'app', livenessProbe: { exec: { command: ['true'] }, timeoutSeconds: 1 } };
    const { patch, kept } = grafted(podWith({ containers: [container] }), {
      spec: {
        containers: [
          {
            name: 'app',
            livenessProbe: { httpGet: { port: force(80) }, periodSeconds: 3, timeoutSeconds: force(5) },
          },
        ],
      },
    });
    expect(patch).toEqual([
      { op: 'replace', path: '/spec/containers/0/livenessProbe/timeoutSeconds', value: 5 },
    ]);
    expect(kept.map(({ path }) => path)).toEqual([
      '/spec/containers/0/livenessProbe/exec',
      '/spec/containers/0/livenessProbe/periodSeconds',
    ]);
  });

  test('remove the field that they name', () => {
    const { patch } = grafted(withVolume({ emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } }), {
      spec: { volumes: [{ name: 'a', emptyDir: { medium: { $absent: true } } }] },
    });
    expect(patch).toEqual([{ op: 'remove', path: '/spec/volumes/0/emptyDir/medium' }]);
  });
});
