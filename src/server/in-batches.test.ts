import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

function collect<T>(batches: (readonly T[])[]) {
  return (batch: readonly T[]) => {
    batches.push(batch);
    return batch.length;
  };
}

const few = { items: 16, weight: 100, weightOf: () => 1 };

describe('inBatches', () => {
  test('passes on the items of one turn together, in order', async () => {
    const batches: (readonly number[])[] = [];
    const take = inBatches<number>(few, collect(batches));
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
    const take = inBatches<number>({ ...few, items: 2 }, collect(batches));
    for (const item of [1, 2, 3, 4, 5]) take(item);
    await turn();
    expect(batches).toEqual([[1, 2]]);
    await turn();
    await turn();
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('limits the weight of a batch to the limit, or one item', async () => {
    const batches: (readonly number[])[] = [];
    const limits = { items: 3, weight: 10, weightOf: (item: number) => item };
    const take = inBatches<number>(limits, collect(batches));
    for (const item of [4, 6, 1, 50, 5, 5, 1, 1, 1, 1]) take(item);
    for (let count = 0; count < 6; count++) await turn();
    expect(batches).toEqual([[4, 6], [1], [50], [5, 5], [1, 1, 1], [1]]);
  });

  test('items that arrive during a batch wait for the next turn', async () => {
    const batches: (readonly string[])[] = [];
    const take = inBatches<string>(few, (batch) => {
      batches.push(batch);
      if (batch.includes('first')) take('second');
      return batch.length;
    });
    take('first');
    await turn();
    await turn();
    expect(batches).toEqual([['first'], ['second']]);
  });

  test('items that a handler leaves come again, before those that arrived later', async () => {
    const batches: (readonly number[])[] = [];
    const take = inBatches<number>(few, (batch) => {
      batches.push(batch);
      return 1;
    });
    for (const item of [1, 2, 3]) take(item);
    await turn();
    take(4);
    for (let count = 0; count < 3; count++) await turn();
    expect(batches).toEqual([[1, 2, 3], [2, 3, 4], [3, 4], [4]]);
  });
});
