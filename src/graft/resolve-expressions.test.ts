import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../json/json.ts';
import { expressionResolver } from './resolve-expressions.ts';

const pod = {
  spec: {
    containers: [
      { name: 'web', image: 'a' },
      { name: 'log', image: 'b' },
    ],
  },
};

/** Expressions are keys of this table, or fields of the item. */
const values: { readonly [expression: string]: Json } = { yes: true, no: false, five: 5 };
const value = (expression: string, item: Json | undefined) =>
  expression.startsWith('item.')
    ? (item as JsonObject)[expression.slice('item.'.length)]
    : values[expression];
const evaluator = {
  value,
  holds: (condition: string, item: Json | undefined) => value(condition, item) === true,
};
const asWritten = (expression: string) => expression;
const resolved = (containers: readonly Json[]) =>
  expressionResolver({ spec: { containers } }, asWritten)(pod, evaluator) as typeof pod;

it('replaces expressions by their values, and leaves out parts without one', () => {
  const overlay = { a: { $cel: 'five' }, b: { $force: { $cel: 'five' } }, c: { d: { $cel: 'none' } } };
  expect(expressionResolver(overlay, asWritten)(pod, evaluator)).toEqual({ a: 5, b: { $force: 5 } });
});

it('leaves out parts whose condition does not hold', () => {
  expect(
    expressionResolver({ a: { $when: 'no', b: 1 }, c: { $when: 'yes', d: 1 } }, asWritten)(pod, evaluator),
  ).toEqual({
    c: { d: 1 },
  });
});

it('evaluates a name pattern for each item that it matches', () => {
  expect(resolved([{ name: '*', tag: { $cel: 'item.image' } }]).spec.containers).toEqual([
    { name: 'web', tag: 'a' },
    { name: 'log', tag: 'b' },
  ]);
});

it.each([
  ['yes', ['web']],
  ['no', ['web', 'log']],
])('does not change an item that the same overlay removes: $when %s', (when, names) => {
  const { containers } = resolved([
    { $when: when, $absent: { name: 'log' } },
    { name: '*', $when: 'yes', tag: 't' },
  ]).spec;
  expect(containers.flatMap(({ name }) => name ?? [])).toEqual(names);
});

it('compiles each expression once, with the keys that lead to it', () => {
  const compiled: string[] = [];
  const compile = (expression: string, keys: readonly string[]) => {
    compiled.push(`${expression} at ${keys.join('.')}`);
    return expression;
  };
  const containers = [{ name: '*', $when: 'yes', image: { $force: { $cel: 'item.image' } } }];
  const resolve = expressionResolver(
    { spec: { containers, replicas: { $atLeast: { $cel: 'five' } } } },
    compile,
  );
  resolve(pod, evaluator);
  resolve(pod, evaluator);
  expect(compiled).toEqual([
    'yes at spec.containers',
    'item.image at spec.containers.image.$force',
    'five at spec.replicas.$atLeast',
  ]);
});

it.each<[string, JsonObject]>([
  ['a value', { size: { $cel: 'five' } }],
  ['a value below a map', { spec: { tier: { $cel: 'five' } } }],
  ['an item of a list', { list: [{ name: 'a', size: { $cel: 'five' } }] }],
  ['a part of an item that a pattern matches', { list: [{ name: '*', size: { $cel: 'five' } }] }],
])('wants nothing if the object has it: %s', (_, overlay) => {
  const object = { size: 5, spec: { tier: 5, other: 1 }, list: [{ name: 'a', size: 5 }] };
  const resolve = expressionResolver(overlay, asWritten);
  expect(resolve(object, evaluator)).toBeUndefined();
  const others = { size: 4, spec: { tier: 4 }, list: [{ name: 'a', size: 4 }] };
  expect(JSON.stringify(resolve(others, evaluator))).toBe(
    JSON.stringify(overlay).replace('{"$cel":"five"}', '5').replace('*', 'a'),
  );
});

it('wants nothing if an earlier call has added the constant parts of a pattern', () => {
  const lifecycle = { preStop: { sleep: { seconds: 5 } } };
  const resolve = expressionResolver({ list: [{ name: '*', $when: 'yes', lifecycle }] }, asWritten);
  expect(resolve({ list: [{ name: 'a', lifecycle }] }, evaluator)).toBeUndefined();
  expect(resolve({ list: [{ name: 'a' }] }, evaluator)).toEqual({ list: [{ name: 'a', lifecycle }] });
});

it('leaves it to the merge which item is meant if none is exactly the same', () => {
  const port = { name: 'web', size: { $cel: 'five' } };
  const object = { ports: [{ name: 'web', size: 5, protocol: 'UDP' }] };
  expect(expressionResolver({ ports: [port] }, asWritten)(object, evaluator)).toEqual({
    ports: [{ name: 'web', size: 5 }],
  });
});

it('wants all members of a part if one differs, since others may be the keys of an item', () => {
  const members = { size: { $cel: 'five' }, tier: { $cel: 'yes' } };
  const resolve = expressionResolver({ list: [{ name: '*', ...members }] }, asWritten);
  expect(resolve({ list: [{ name: 'a', size: 5 }] }, evaluator)).toEqual({
    list: [{ name: 'a', size: 5, tier: true }],
  });
});

it('wants all parts of a map if one differs, since they are checked and fitted together', () => {
  const overlay = { requests: { cpu: { $cel: 'five' } }, limits: { cpu: { $cel: 'yes' } } };
  const object = { requests: { cpu: 5 }, limits: { cpu: 4 } };
  expect(expressionResolver(overlay, asWritten)(object, evaluator)).toEqual({
    requests: { cpu: 5 },
    limits: { cpu: true },
  });
});

it.each<[string, Json]>([
  ['list', [{ $cel: 'five' }]],
  ['map', { a: { $cel: 'five' } }],
])('wants a forced %s even if the object has it among others', (_, forced) => {
  const object = { part: Array.isArray(forced) ? [5, 6] : { a: 5, b: 6 } };
  const resolved = expressionResolver({ part: { $force: forced } }, asWritten)(object, evaluator);
  expect(resolved).toEqual({ part: { $force: Array.isArray(forced) ? [5] : { a: 5 } } });
});

it('leaves lists of texts to the merge, which knows whether they are set as a whole', () => {
  const resolve = expressionResolver({ args: [{ $cel: 'five' }] }, asWritten);
  expect(resolve({ args: [5, 6] }, evaluator)).toEqual({ args: [5] });
});

it('finds the items of patterns in several lists', () => {
  const pattern = { name: '*', tag: { $cel: 'item.image' } };
  const resolve = expressionResolver({ first: [pattern], second: [pattern] }, asWritten);
  const object = { first: [{ name: 'a', image: 'x' }], second: [{ name: 'b', image: 'y' }] };
  expect(resolve(object, evaluator)).toEqual({
    first: [{ name: 'a', tag: 'x' }],
    second: [{ name: 'b', tag: 'y' }],
  });
});

it('finds the items of a pattern inside an item', () => {
  const env = [{ name: '*', tag: { $cel: 'item.image' } }];
  const resolve = expressionResolver({ list: [{ name: 'web', env }] }, asWritten);
  const object = { list: [{ name: 'web', env: [{ name: 'a', image: 'x' }] }] };
  expect(resolve(object, evaluator)).toEqual({ list: [{ name: 'web', env: [{ name: 'a', tag: 'x' }] }] });
});
