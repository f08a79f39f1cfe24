import type { Check } from '../check.ts';
import { pass, sendAgain, wasCalled } from './passes.ts';

export const ownOutput: Check = {
  id: 'own-output',
  title: 'the result is accepted when it is sent again',
  why: 'Every later update of the object carries what the webhook added. If it rejects that, the object can no longer be changed.',
  fix: 'Accept what you would write yourself: require the final state, not its absence.',
  scope: 'each',
  objects: 'all',
  async examine(subjects, object, session) {
    const first = await pass(subjects, object, session);
    if (first === undefined) return undefined;
    const request = sendAgain(session.requestFor(subjects, object), first);
    const { namespace } = request;
    const update = { object: first, oldObject: first, ...(namespace !== undefined && { namespace }) };
    for (const [next, how] of [
      [request, ''],
      [update, ' on UPDATE'],
    ] as const) {
      const again = await session.admit(subjects, next);
      if (!again.allowed && wasCalled(again))
        return { message: `rejects its own result${how}: ${again.status.message}` };
    }
    return undefined;
  },
};
