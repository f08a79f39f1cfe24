import { expect, test } from 'vitest';
import { unsettled } from './pipeline-errors.ts';
import type { Step } from './trace.ts';

const step = (injector: string, paths: readonly string[], round = 3): Step => ({
  injector,
  round,
  decision: 'grafted',
  kept: [],
  patch: paths.map((path) => ({ op: 'remove', path })),
});
const disagree = (place: string) => `Injectors "a" and "b" do not agree on "${place}"`;

test.each<[string, readonly Step[], string]>([
  ['one place', [step('a', ['/x', '/spec/y']), step('b', ['/z', '/spec/y'])], disagree('/spec/y')],
  ['a part of the place', [step('a', ['/spec/y/z']), step('b', ['/spec/y'])], disagree('/spec/y')],
  ['the whole of the place', [step('a', ['/spec/y']), step('b', ['/spec/y/z'])], disagree('/spec/y')],
  ['items of one list', [step('a', ['/spec/l/0']), step('b', ['/spec/l/-'])], disagree('/spec/l')],
  ['places of similar names', [step('a', ['/spec/y']), step('b', ['/spec/yz'])], disagree('/spec/y')],
  ['an earlier round', [step('a', ['/x'], 2), step('a', ['/y']), step('b', ['/x'])], disagree('/y')],
  ['the first of several places', [step('a', ['/p', '/q']), step('b', ['/q', '/p'])], disagree('/p')],
  [
    'places of its own',
    [step('a', ['/x', '/x'])],
    'Injector "a" does not settle: it changes "/x" again on its own result',
  ],
])('names the injectors that change %s', (_, trace, message) => {
  expect(unsettled(trace, 3).error.message).toBe(message);
});

test('20,000 changes are compared in linear time', () => {
  const paths = (name: string) =>
    Array.from({ length: 10_000 }, (_, index) => `/metadata/annotations/${name}${index}`);
  const start = performance.now();
  unsettled([step('a', paths('x')), step('b', paths('y'))], 3);
  // It took half a minute.
  expect(performance.now() - start).toBeLessThan(2000);
});
