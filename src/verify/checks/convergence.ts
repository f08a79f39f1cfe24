import type { Check } from '../check.ts';
import { differences } from '../differences.ts';
import { listed, pass, sendAgain } from './passes.ts';

const MOST_PASSES = 10;

export const convergence: Check = {
  id: 'convergence',
  title: 'repeated passes of all webhooks converge',
  why: 'Webhooks that never agree keep the object changing with every request, and controllers busy.',
  fix: 'Find the webhooks that write the same field, and let one of them own it.',
  scope: 'set',
  objects: 'all',
  async examine(subjects, object, session) {
    let current = await pass(subjects, object, session);
    if (current === undefined) return undefined;
    const request = session.requestFor(subjects, object);
    let paths: readonly string[] = [];
    for (let count = 2; count <= MOST_PASSES; count++) {
      const next = await session.admit(subjects, sendAgain(request, current));
      if (!next.allowed || next.object === null) return undefined;
      paths = differences(current, next.object).map(({ path }) => path);
      if (paths.length === 0) return undefined;
      current = next.object;
    }
    return { message: `still changes after ${MOST_PASSES} passes, at ${listed(paths)}`, paths };
  },
};
