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
const resolved = (containers: readonly Json[]) =>
  expressionResolver({ spec: { containers } })(pod, evaluator) as typeof pod;

it('replaces expressions by their values, and leaves out parts without one', () => {
  const overlay = { a: { $cel: 'five' }, b: { $force: { $cel: 'five' } }, c: { d: { $cel: 'none' } } };
  expect(expressionResolver(overlay)(pod, evaluator)).toEqual({ a: 5, b: { $force: 5 } });
});

it('leaves out parts whose condition does not hold', () => {
  expect(expressionResolver({ a: { $when: 'no', b: 1 }, c: { $when: 'yes', d: 1 } })(pod, evaluator)).toEqual(
    {
      c: { d: 1 },
    },
  );
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
