import type { JsonObject } from '../../json/json.ts';
import type { Problem } from '../check.ts';
import { differences } from '../differences.ts';
import type { Session } from '../session.ts';
import type { Subject } from '../subject.ts';
import { listed, pass, sendAgain } from './passes.ts';

/** What webhooks change in their own result. */
export async function secondPass(
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
