import type { Json } from '../../json/json.ts';
import { sameJson } from '../../json/same-json.ts';
import type { Check } from '../check.ts';
import type { Reviewed } from '../session.ts';

export const dryRun: Check = {
  id: 'dry-run',
  title: 'a dry run has no side effects that can be seen',
  why: '`kubectl diff` and `apply --dry-run=server` show what would happen. They must change nothing, and show the truth.',
  mend: 'Answer a dry run like any other request, but write nothing outside of the answer.',
  scope: 'each',
  objects: 'all',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined) return undefined;
    const request = session.requestFor(subjects, object);
    const answers: Reviewed[] = [];
    for (const isDry of session.isLive ? [true, true] : [true, true, false]) {
      answers.push(await session.review(subject, { ...request, dryRun: isDry }));
    }
    const [first, second, real] = answers.map(essence);
    if (!sameJson(first ?? null, second ?? null))
      return { message: 'answers a second dry run differently: the first one left something behind' };
    if (real !== undefined && !sameJson(first ?? null, real))
      return { message: 'answers a dry run differently from the request itself' };
    const { sideEffects } = subject.webhook;
    return sideEffects === 'None' || sideEffects === 'NoneOnDryRun'
      ? undefined
      : {
          message: `has sideEffects "${sideEffects}", so that every dry run is refused`,
          isAboutServer: true,
        };
  },
};

/** What decides about the object. */
function essence(reviewed: Reviewed): Json {
  if ('error' in reviewed) return { error: reviewed.error };
  const { allowed, patch = '', status } = reviewed.response;
  return { allowed, patch, message: status?.message ?? '' };
}
