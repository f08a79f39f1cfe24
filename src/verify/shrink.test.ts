import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { shrink } from './shrink.ts';

const big: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { a: '1', 'b/c~d': '2' }, annotations: { x: 'y'.repeat(1000) } },
  spec: {
    containers: Array.from({ length: 20 }, (_, at) => ({
      name: `c${at}`,
      env: [{ name: 'A' }, { name: 'B' }],
    })),
  },
};

test('leaves out what does not matter, and keeps the identity', async () => {
  const hasSeventh = (object: JsonObject) => JSON.stringify(object).includes('"c7"');
  expect(await shrink(big, async (object) => hasSeventh(object))).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c7' }] },
  });
});

test('keys that pointers escape are left out too', async () => {
  const { metadata } = await shrink(big, async ({ spec }) => spec !== undefined);
  expect(metadata).toEqual({ name: 'p' });
});

test('returns the object unchanged if every part matters', async () => {
  const before = structuredClone(big);
  expect(await shrink(big, async () => false)).toBe(big);
  expect(big).toEqual(before);
});

test('gives up after some hundred attempts', async () => {
  let attempts = 0;
  const many = { ...big, data: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 'v'])) };
  await shrink(many, async () => {
    attempts++;
    return false;
  });
  expect(attempts).toBe(300);
});
