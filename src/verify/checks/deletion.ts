import type { Check } from '../check.ts';

export const deletion: Check = {
  id: 'deletion',
  title: 'nothing is changed on DELETE',
  why: 'There is no object to change: the API server answers a patch with an error 500, and the object cannot be deleted.',
  fix: 'Answer DELETE without a patch, or remove it from the rules.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const { object: stored, namespace } = session.requestFor(subjects, object);
    const request = { oldObject: stored ?? null, ...(namespace !== undefined && { namespace }) };
    const outcome = await session.admit(subjects, request);
    const patched = outcome.trace.some(
      (step) => step.type === 'webhook' && (step.call?.patch ?? []).length > 0,
    );
    return patched ? { message: 'sends a patch on DELETE' } : undefined;
  },
};
