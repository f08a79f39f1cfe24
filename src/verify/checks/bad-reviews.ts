import type { JsonObject } from '../../json/json.ts';
import { BAD_REVIEWS } from '../bad-reviews.ts';
import type { Check } from '../check.ts';
import type { Session } from '../session.ts';
import type { Subject } from '../subject.ts';

const PATIENCE_MS = 10_000;

export const badReviews: Check = {
  id: 'bad-reviews',
  title: 'malformed and oversized reviews do not bring the server down',
  why: 'Anyone who reaches the port can send anything. A server that crashes fails every request that waits for its webhook.',
  fix: 'Limit the size of bodies, and answer unreadable requests with 400.',
  scope: 'each',
  objects: 'one',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined || !(await isWell(subject, object, session))) return undefined;
    // From small to large: the first one that brings it down is the smallest.
    for (const { title, body, contentType = 'application/json' } of BAD_REVIEWS) {
      const text = body();
      // Any answer is fine, and so is none.
      await subject.server.send(text, contentType, PATIENCE_MS).catch(() => undefined);
      if (await isWell(subject, object, session)) continue;
      return { message: `no longer answers after ${title}`, isAboutServer: true, body: shown(text) };
    }
    return undefined;
  },
};

const LONGEST_SHOWN = 400;

function shown(body: string): string {
  return body.length > LONGEST_SHOWN ? `${body.slice(0, LONGEST_SHOWN)}…` : body;
}

/** Gives a restarting server a moment. */
async function isWell(subject: Subject, object: JsonObject, session: Session): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const reviewed = await session.review(subject, session.requestFor([subject], object));
    if (!('error' in reviewed)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
