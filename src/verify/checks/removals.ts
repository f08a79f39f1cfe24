import type { Check } from '../check.ts';
import { differences } from '../differences.ts';
import { listed } from './passes.ts';
import { patchedSteps } from './patched.ts';

export const removals: Check = {
  id: 'removals',
  title: 'nothing is removed that the webhook did not add',
  why: 'Users lose what they wrote, and tools that apply manifests write it again and again.',
  fix: 'Patch only the fields that must change.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    const paths = patchedSteps(outcome).flatMap(({ before, after }) =>
      differences(before, after).flatMap(({ path, type }) => (type === 'removed' ? [path] : [])),
    );
    return paths.length === 0
      ? undefined
      : { message: `removes what the user wrote, at ${listed(paths)}`, paths };
  },
};
