import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

const few = { items: 16, weight: 100, weightOf: () => 1 };

describe('inBatches', () => {
  test('passes on the items of one turn together, in order', async () => {
    const batches: (readonly number[])[] = [];
    const take = inBatches<number>(few, (batch) => batches.push(batch));
    for (const item of [1, 2, 3]) take(item);
    expect(batches).toEqual([]);
    await turn();
    expect(batches).toEqual([[1, 2, 3]]);
    take(4);
    await turn();
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  test('limits the number of items in a batch', async () => {
    const batches: (readonly number[])[] = [];
    const take = inBatches<number>({ ...few, items: 2 }, (batch) => batches.push(batch));
    for (const item of [1, 2, 3, 4, 5]) take(item);
    await turn();
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('limits the weight of a batch to the limit, or one item', async () => {
    const batches: (readonly number[])[] = [];
    const take = inBatches<number>({ items: 3, weight: 10, weightOf: (item) => item }, (batch) =>
      batches.push(batch),
    );
    for (const item of [4, 6, 1, 50, 5, 5, 1, 1, 1, 1]) take(item);
    await turn();
    expect(batches).toEqual([[4, 6], [1], [50], [5, 5], [1, 1, 1], [1]]);
  });

  test('items that arrive during a batch wait for the next turn', async () => {
    const batches: (readonly string[])[] = [];
    const take = inBatches<string>(few, (batch) => {
      batches.push(batch);
      if (batch.includes('first')) take('second');
    });
    take('first');
    await turn();
    await turn();
    expect(batches).toEqual([['first'], ['second']]);
  });
});
