import type { Check } from '../check.ts';
import { differences } from '../differences.ts';
import { listed, pass } from './passes.ts';

export const determinism: Check = {
  id: 'determinism',
  title: 'the same object gets the same answer',
  why: 'The API server repeats a request after a conflict. With a time or a random part in names, every attempt creates a different object.',
  fix: 'Derive names from the object, not from the clock or a random number.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const one = await pass(subjects, object, session);
    // Times in names often have the resolution of a second.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const other = one === undefined ? undefined : await pass(subjects, object, session);
    if (one === undefined || other === undefined) return undefined;
    const paths = differences(one, other).map(({ path }) => path);
    if (paths.length === 0) return undefined;
    return { message: `answers the same object differently, at ${listed(paths)}`, paths };
  },
};
