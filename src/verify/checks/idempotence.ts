import type { JsonObject } from '../../json/json.ts';
import type { Check, Problem } from '../check.ts';
import { differences } from '../differences.ts';
import type { Session } from '../session.ts';
import type { Subject } from '../subject.ts';
import { listed, pass, sendAgain } from './passes.ts';

export const idempotence: Check = {
  id: 'idempotence',
  title: 'a second call changes nothing',
  why: 'The API server calls a webhook again after others have changed the object, and again on every later request. Whatever is added each time accumulates.',
  fix: 'Look for your own change before you make it: by the name of the container, the key of the label.',
  scope: 'mutating',
  objects: 'all',
  examine: (subjects, object, session) => secondPass(subjects, object, session, 'its own result'),
};

export const setIdempotence: Check = {
  id: 'set-idempotence',
  title: 'a second pass of all webhooks changes nothing',
  why: 'Webhooks that are idempotent alone may not be so together: one reacts to what the other adds.',
  fix: 'Find the two webhooks that write the same field, and let one of them own it.',
  scope: 'set',
  objects: 'all',
  examine: (subjects, object, session) => secondPass(subjects, object, session, 'their own result'),
};

/** What webhooks change in their own result. */
async function secondPass(
  subjects: readonly Subject[],
  object: JsonObject,
  session: Session,
  whose: string,
): Promise<Problem | undefined> {
  const first = await pass(subjects, object, session);
  if (first === undefined) return undefined;
  const request = sendAgain(session.requestFor(subjects, object), first);
  const second = await session.admit(subjects, request);
  // Another check covers rejections.
  if (!second.allowed || second.object === null) return undefined;
  const paths = differences(first, second.object).map(({ path }) => path);
  if (paths.length === 0) return undefined;
  return { message: `changes ${whose} again, at ${listed(paths)}`, paths };
}
