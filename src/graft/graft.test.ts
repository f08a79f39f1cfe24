import { describe, expect, test } from 'vitest';
import { grafted, POD, podWith } from '../../test/grafted.ts';
import type { JsonObject } from '../json/json.ts';
import { shapeOf } from '../kube/shape-of.ts';
import { force, tokens } from './directive.ts';
import { graft } from './graft.ts';

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

  test('treats null as absent', () => {
    const { patch } = grafted(podWith({}, { labels: null }), { metadata: { labels: { a: '1' } } });
    expect(patch).toEqual([{ op: 'replace', path: '/metadata/labels', value: { a: '1' } }]);
  });

  test('keeps what the object says, and reports it', () => {
    const { patch, kept } = grafted(podWith({}, { labels: { team: 'b' } }), {
      metadata: { labels: { team: 'a' } },
    });
    expect(patch).toEqual([]);
    expect(kept).toEqual([{ path: '/metadata/labels/team', found: 'b', wanted: 'a' }]);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('treats the key %s as data', (key) => {
    const labels = JSON.parse(`{"${key}": "x"}`) as JsonObject;
    const { object, patch } = grafted(podWith({}, { labels: {} }), { metadata: { labels } });
    expect(patch).toEqual([{ op: 'add', path: `/metadata/labels/${key}`, value: 'x' }]);
    expect(Object.keys((object.metadata as JsonObject).labels as JsonObject)).toEqual([key]);
    const found = podWith({}, { labels: JSON.parse(`{"${key}": "y"}`) as JsonObject });
    expect(grafted(found, { metadata: { labels } }).kept).toHaveLength(1);
  });

  test('shares with the input what it does not touch', () => {
    const input = podWith();
    const { object } = grafted(input, { metadata: { labels: { a: '1' } } });
    expect(object.spec).toBe(input.spec);
  });

  test('leaves a value of another type alone', () => {
    const { patch, kept } = grafted(podWith({ volumes: 'none' }), {
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
    const { patch } = grafted(podWith(), { spec: { containers: [{ name: 'proxy', image: 'p' }] } });
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'p' } }]);
  });

  test('fills a container that is there', () => {
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

  test('finds ports by number and protocol, TCP where it is not said', () => {
    const object = podWith({
      containers: [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP' }] }],
    });
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
    const { patch } = grafted(podWith({ containers: [{ name: 'web', env }] }), overlay);
    expect(patch).toEqual([{ op: 'replace', path: '/spec/containers/0/env/1/value', value: '3' }]);
  });

  test('refuses an item without its key', () => {
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

  test('fills a command or leaves it', () => {
    const object = podWith({ containers: [{ name: 'web', command: ['sh'] }] });
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
