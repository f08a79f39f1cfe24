import { expect, test } from 'vitest';
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

test.each([
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
])('rejects %s at the start, naming both injectors and the path', (_, one, other, path) => {
  const message = `Injectors "one" and "other" set "${path}" to different values`;
  expect(() => start(one, other)).toThrow(message);
  expect(() => start(other, one)).toThrow(message);
});

test.each([
  ['the same forced value', priority(1), priority(1)],
  ['a forced and a filled value', priority(1), { spec: { priority: 2 } }],
  ['different containers', image('app', 'a'), image('web', 'b')],
  ['patterns that need not meet', image('a*', 'a'), image('*b', 'b')],
])('accepts %s', (_, one, other) => {
  expect(() => start(one, other)).not.toThrow();
});

const team = (name: string) => ({ matchLabels: { team: name } });
const not = (name: string) => ({
  matchExpressions: [{ key: 'team', operator: 'NotIn', values: [name] }],
});
test.each<[string, Match, Match]>([
  ['kinds', { kinds: ['Pod'] }, { kinds: ['Deployment'] }],
  ['namespaces', { namespaces: ['a'] }, { namespaces: ['b'] }],
  ['namespace labels', { namespaceSelector: team('a') }, { namespaceSelector: team('b') }],
  ['labels', { objectSelector: team('a') }, { objectSelector: not('a') }],
  ['annotations', { annotations: { mode: 'on' } }, { annotations: { mode: 'off' } }],
])('injectors for different %s do not conflict', (_, one, other) => {
  expect(() => start(priority(1), priority(2), [one, other])).not.toThrow();
});

test.each<[string, Match, Match]>([
  ['namespaces', { namespaces: ['a', 'b'] }, { namespaces: ['b'] }],
  ['namespace patterns', { namespaces: ['a-*'] }, { namespaces: ['*-b'] }],
  ['labels', { objectSelector: team('a') }, { objectSelector: not('b') }],
])('injectors whose %s may overlap conflict', (_, one, other) => {
  expect(() => start(priority(1), priority(2), [one, other])).toThrow('set "/spec/priority"');
});
