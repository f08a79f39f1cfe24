import { expect, test } from 'vitest';
import { corpus } from './corpus.ts';
import { labelsFor } from './request-for.ts';
import { createSession } from './session.ts';

const session = createSession([], {});

test.each(corpus())('the API server accepts $title', async ({ object }) => {
  const outcome = await session.admit([], session.requestFor([], object));
  expect(outcome).toMatchObject({ allowed: true });
});

test('titles are unique', () => {
  const titles = corpus().map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('labels are added for what a selector requires, and left out for what it forbids', () => {
  const matchExpressions = [
    { key: 'a', operator: 'Exists' },
    { key: 'b', operator: 'In', values: ['x', 'y'] },
    { key: 'c', operator: 'DoesNotExist' },
    { key: 'd', operator: 'NotIn', values: ['z'] },
  ];
  expect(labelsFor({ matchLabels: { e: 'f' }, matchExpressions })).toEqual({ a: 'true', b: 'x', e: 'f' });
});
