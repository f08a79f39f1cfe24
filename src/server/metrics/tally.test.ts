import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createTally } from './tally.ts';

test('a counter takes over what was counted, once', async () => {
  const counter = new Counter({ name: 'n', help: 'n', labelNames: ['a', 'b'], registers: [new Registry()] });
  const tally = createTally(['a', 'b']);
  for (const b of ['y', 'y', 'z']) tally.add({ a: 'x', b });
  tally.moveTo(counter);
  tally.moveTo(counter);
  tally.add({ a: 'x', b: 'z' });
  tally.moveTo(counter);
  expect((await counter.get()).values).toEqual([
    { labels: { a: 'x', b: 'y' }, value: 2 },
    { labels: { a: 'x', b: 'z' }, value: 2 },
  ]);
});
