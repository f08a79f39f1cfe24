import { expect, test } from 'vitest';
import type { Loop } from './loop-finder.ts';
import { renderLoop } from './render-loops.ts';

const MINUTE = 60_000;

function loop(returns: number, minutes: number): Loop {
  const writer = { kind: 'user', name: 'jane', detail: 'kubectl' } as const;
  const shares = [{ writer, value: '"a"', count: returns }];
  const object = { resource: 'pods', namespace: 'shop', name: 'web', path: '/metadata/labels/a', others: [] };
  return { ...object, returns, shares, first: 0, last: minutes * MINUTE, times: [0] };
}

test.each([
  [13, 0.1, '130 a minute'],
  [30, 4, '7.5 a minute'],
  [60, 60, '1 a minute'],
  [10, 60, '10 an hour'],
  [3, 24 * 60, '0.13 an hour'],
])('%i changes in %d minutes are %s', (returns, minutes, rate) => {
  expect(renderLoop(loop(returns, minutes), false)).toContain(`changed back ${returns} times, ${rate}, from`);
});
