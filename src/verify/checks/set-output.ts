import type { Check } from '../check.ts';

export const setOutput: Check = {
  id: 'set-output',
  title: 'the webhooks together accept what each accepts alone',
  why: 'If a webhook rejects what another one adds, objects that both accept alone cannot be created.',
  fix: 'Let the rejecting one accept the final state, or exclude the objects of the other.',
  scope: 'set',
  objects: 'all',
  async examine(subjects, object, session) {
    const request = session.requestFor([], object);
    const together = await session.admit(subjects, request);
    if (together.allowed) return undefined;
    for (const subject of subjects) {
      const alone = await session.admit([subject], request);
      if (!alone.allowed) return undefined;
    }
    const { message } = together.status;
    const culprits = subjects.filter(({ webhook }) => message.includes(`"${webhook.name}"`));
    return {
      message: `each accepts the object alone, together they do not: ${message}`,
      ...(culprits.length > 0 && { culprits: culprits.map(({ id }) => id) }),
    };
  },
};
