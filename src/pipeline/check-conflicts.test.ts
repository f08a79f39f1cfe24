import { expect, test } from 'vitest';
import { metadata } from '../injectors/metadata/metadata.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import type { Match } from '../sdk/match.ts';
import { createPipeline } from './pipeline.ts';

const start = (one: JsonObject, other: JsonObject, matches: readonly Match[] = [{}, {}]) =>
  createPipeline(
    [one, other].map((wanted, index) => ({
      name: ['one', 'other'][index] as string,
      injector: overlay,
      config: { overlay: wanted },
      match: matches[index] as Match,
    })),
  );
const priority = (value: number) => ({ spec: { priority: { $force: value } } });
const image = (name: string, value: string) => ({
  spec: { containers: [{ name, image: { $force: value } }] },
});

const mount = (fields: JsonObject) => ({
  spec: { containers: [{ name: 'app', volumeMounts: [{ mountPath: '/data', ...fields }] }] },
});
const KEPT_FIRST = { first: true, keep: true };
const init = (name: string, $at: JsonObject | string) => ({ spec: { initContainers: [{ name, $at }] } });

test.each<[string, JsonObject, JsonObject, string]>([
  ['two forced values', priority(1), priority(2), '/spec/priority'],
  [
    'a value that the other removes',
    { metadata: { labels: { a: 'x' } } },
    { metadata: { labels: { a: { $absent: true } } } },
    '/metadata/labels/a',
  ],
  ['two images of one container', image('app', 'a'), image('app', 'b'), '/spec/containers/app/image'],
  ['a pattern and a name', image('*', 'a'), image('app', 'b'), '/spec/containers/app/image'],
  [
    'a container that the other removes',
    { spec: { containers: [{ name: 'app', image: 'a' }] } },
    { spec: { containers: [{ $absent: { name: 'a*' } }] } },
    '/spec/containers/app',
  ],
  [
    'a value in a map that the other forces',
    { spec: { securityContext: { $force: { runAsUser: 1 } } } },
    { spec: { securityContext: { runAsUser: { $force: 2 } } } },
    '/spec/securityContext/runAsUser',
  ],
  [
    'an item of a list that the other forces',
    { spec: { containers: [{ name: 'app', env: { $force: [{ name: 'A', value: 'a' }] } }] } },
    { spec: { containers: [{ name: 'app', env: [{ name: 'A', value: { $force: 'b' } }] }] } },
    '/spec/containers/app/env/A/value',
  ],
  [
    'items with other keys than a name',
    mount({ name: { $force: 'a' } }),
    mount({ name: { $force: 'b' } }),
    '/spec/containers/app/volumeMounts/~1data/name',
  ],
  [
    'an item without a name that the other removes',
    mount({ name: 'data' }),
    { spec: { containers: [{ name: 'app', volumeMounts: [{ $absent: { mountPath: '/data' } }] }] } },
    '/spec/containers/app/volumeMounts/~1data',
  ],
  [
    'an item of a set that the other removes',
    { spec: { tolerations: [{ key: 'spot', operator: 'Exists' }] } },
    { spec: { tolerations: [{ $absent: { key: 'spot' } }] } },
    '/spec/tolerations',
  ],
  ['two items that must be first', init('a', KEPT_FIRST), init('b', KEPT_FIRST), '/spec/initContainers'],
  [
    'items that must be before each other',
    init('a', { before: 'b', keep: true }),
    init('b', { before: 'a', keep: true }),
    '/spec/initContainers',
  ],
  [
    'text that the other extends',
    { metadata: { annotations: { a: { $force: 'x' } } } },
    { metadata: { annotations: { a: { $tokens: { separator: ',', parts: ['y'] } } } } },
    '/metadata/annotations/a',
  ],
  ['a smaller number', priority(1), { spec: { priority: { $atLeast: 2 } } }, '/spec/priority'],
])('rejects %s at the start, naming both injectors and the path', (_, one, other, path) => {
  const message = `Injectors "one" and "other" do not agree on "${path}"`;
  expect(() => start(one, other)).toThrow(message);
  expect(() => start(other, one)).toThrow(message);
});

test.each<[string, JsonObject, JsonObject]>([
  ['the same forced value', priority(1), priority(1)],
  ['a forced and a filled value', priority(1), { spec: { priority: 2 } }],
  ['different containers', image('app', 'a'), image('web', 'b')],
  ['patterns that need not meet', image('a*', 'a'), image('*b', 'b')],
  [
    'another value in a map that the other forces',
    { spec: { securityContext: { $force: { runAsUser: 1 } } } },
    { spec: { securityContext: { runAsGroup: { $force: 2 } } } },
  ],
  ['different mounts', mount({ name: 'a' }), { ...mount({ name: { $force: 'b' }, mountPath: '/logs' }) }],
  ['one item that must be first', init('a', KEPT_FIRST), init('b', 'first')],
  ['the same item that must be first', init('a', KEPT_FIRST), init('a', KEPT_FIRST)],
  ['a larger number', priority(2), { spec: { priority: { $atLeast: 1 } } }],
  [
    'removals in a map that the other removes',
    { metadata: { labels: { $absent: true } } },
    { metadata: { labels: { a: { $absent: true } } } },
  ],
  [
    'a pattern in a list that the other removes',
    { spec: { containers: { $absent: true } } },
    image('*', 'a'),
  ],
  [
    'values that only expressions decide',
    { spec: { priority: { $force: { $cel: '1' } } } },
    { spec: { priority: { $force: { $cel: '2' } } } },
  ],
  [
    'an item whose key only an expression decides',
    { spec: { containers: [{ name: { $cel: "'app'" }, image: { $force: 'a' } }] } },
    image('app', 'b'),
  ],
])('accepts %s', (_, one, other) => {
  expect(() => start(one, other)).not.toThrow();
});

test('finds conflicts with metadata, and of other kinds than Pods', () => {
  const remove = { metadata: { labels: { a: { $absent: true } } } };
  const match = { kinds: ['Deployment'] };
  const entries = [
    { name: 'stamp', injector: metadata, match, config: { metadata: { labels: { a: 'x' } } } },
    { name: 'remove', injector: overlay, match, config: { overlay: remove } },
  ];
  expect(() => createPipeline(entries)).toThrow(
    'Injectors "stamp" and "remove" do not agree on "/metadata/labels/a"',
  );
});

test('lists of an unknown kind are set as a whole', () => {
  const widget = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    resource: 'widgets',
    namespaced: true,
  };
  const match = { kinds: [widget] };
  expect(() => start(image('app', 'a'), image('app', 'b'), [match, match])).not.toThrow();
});

const team = (name: string) => ({ matchLabels: { team: name } });
const not = (name: string) => ({
  matchExpressions: [{ key: 'team', operator: 'NotIn', values: [name] }],
});
const expression = (operator: string, ...values: string[]) => ({
  objectSelector: { matchExpressions: [{ key: 'team', operator, values }] },
});
const condition = (expression: string) => ({ expression, holds: () => true });

test.each<[string, Match, Match]>([
  ['kinds', { kinds: ['Pod'] }, { kinds: ['Deployment'] }],
  ['namespaces', { namespaces: ['a'] }, { namespaces: ['b'] }],
  ['namespace labels', { namespaceSelector: team('a') }, { namespaceSelector: team('b') }],
  ['labels', { objectSelector: team('a') }, { objectSelector: not('a') }],
  ['annotations', { annotations: { mode: 'on' } }, { annotations: { mode: 'off' } }],
  ['annotations, by name', { hasAnnotations: ['a'] }, { exclude: { hasAnnotations: ['a'] } }],
  ['names', { names: ['web-*'] }, { names: ['db-*'] }],
  ['namespace patterns', { namespaces: ['prod-*'] }, { namespaces: ['dev-*'] }],
  ['excluded namespaces', { namespaces: ['a'] }, { exclude: { namespaces: ['a'] } }],
  ['excluded patterns', { namespaces: ['team-a-*'] }, { exclude: { namespaces: ['team-*'] } }],
  ['users', { users: ['a'] }, { users: ['b'] }],
  ['groups', { groups: ['a'] }, { exclude: { groups: ['a', 'b'] } }],
  ['values', expression('In', 'a'), expression('In', 'b')],
  ['keys', expression('Exists'), expression('DoesNotExist')],
  [
    'labels of three selectors',
    expression('In', 'a', 'b'),
    { ...expression('NotIn', 'a'), exclude: expression('In', 'b') },
  ],
  ['conditions', { conditions: [condition('a')] }, { conditions: [condition('!a')] }],
])('injectors for different %s do not conflict', (_, one, other) => {
  expect(() => start(priority(1), priority(2), [one, other])).not.toThrow();
});

test.each<[string, Match, Match]>([
  ['namespaces', { namespaces: ['a', 'b'] }, { namespaces: ['b'] }],
  ['namespace patterns', { namespaces: ['a-*'] }, { namespaces: ['*-b'] }],
  ['labels', { objectSelector: team('a') }, { objectSelector: not('b') }],
  ['values', expression('In', 'a', 'b'), expression('NotIn', 'a')],
  ['groups', { groups: ['a'] }, { groups: ['b'] }],
  ['excluded namespaces', { namespaces: ['a', 'b'] }, { exclude: { namespaces: ['a'] } }],
  ['excluded labels', {}, { exclude: { objectSelector: team('a') } }],
])('injectors whose %s may overlap conflict', (_, one, other) => {
  expect(() => start(priority(1), priority(2), [one, other])).toThrow('do not agree on "/spec/priority"');
});
