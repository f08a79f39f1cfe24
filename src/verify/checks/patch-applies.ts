import type { Check } from '../check.ts';

export const patchApplies: Check = {
  id: 'patch-applies',
  title: 'every patch applies to the object',
  why: 'A patch that does not apply is an error 500 for the user, even with `failurePolicy: Ignore`.',
  fix: 'Create the parent in the same patch: `add /metadata/annotations/x` fails if there are no annotations.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    if (outcome.allowed || outcome.status.code !== 500) return undefined;
    const isPatch = outcome.trace.some(
      (step) =>
        step.type === 'webhook' && step.call?.patch !== undefined && step.result.outcome === 'rejected',
    );
    return isPatch ? { message: `sends a patch that fails: ${outcome.status.message}` } : undefined;
  },
};
