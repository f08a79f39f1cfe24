import type { Check } from '../check.ts';

export const validResult: Check = {
  id: 'valid-result',
  title: 'the API server accepts the result',
  why: 'The user gets an error about a field that is not in the manifest.',
  fix: 'Check what you add against what is there: names, ports and mounts in use, requests above limits.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    if (outcome.allowed) return undefined;
    const last = outcome.trace.at(-1);
    const isInvalid = last?.type === 'validation' && last.result.outcome === 'rejected';
    return isInvalid ? { message: `makes the object invalid: ${outcome.status.message}` } : undefined;
  },
};
