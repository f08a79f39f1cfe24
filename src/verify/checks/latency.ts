import type { Check } from '../check.ts';

const AT_ONCE = 4;
const CALLS = 40;
/** A webhook that needs more of its timeout than this has nothing in reserve for a busy day. */
const SHARE = 0.5;

export const latency: Check = {
  id: 'latency',
  title: 'answers come well within the timeout',
  why: 'Requests wait for every mutating webhook in turn. What is slow under four calls at once fails in a rollout.',
  mend: 'Read from memory instead of calling other services, or set a timeout that fits.',
  scope: 'each',
  objects: 'one',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined) return undefined;
    const request = session.requestFor(subjects, object);
    const timeoutMs = subject.webhook.timeoutSeconds * 1000;
    const times: number[] = [];
    let left = CALLS;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) {
          const { milliseconds } = await session.review(subject, request);
          times.push(milliseconds);
          // Enough is known.
          if (milliseconds > timeoutMs * SHARE) left = 0;
        }
      }),
    );
    const slowest = Math.max(...times);
    if (slowest <= timeoutMs * SHARE) return undefined;
    const took = `took ${Math.round(slowest)} ms under ${AT_ONCE} calls at once`;
    return { message: `${took}, with a timeout of ${timeoutMs} ms`, isAboutServer: true };
  },
};
