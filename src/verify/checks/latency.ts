import type { JsonObject } from '../../json/json.ts';
import type { Check } from '../check.ts';
import type { Session } from '../session.ts';
import type { Subject } from '../subject.ts';

const AT_ONCE = 4;
const CALLS = 8;
/** A webhook that needs more of its timeout than this has no reserve for high load. */
const SHARE = 0.5;

export const latency: Check = {
  id: 'latency',
  title: 'answers come well within the timeout',
  why: 'Requests wait for every mutating webhook in turn. What is slow under four calls at once fails in a rollout.',
  fix: 'Read from memory instead of calling other services, or set a timeout that fits.',
  scope: 'each',
  objects: 'smallest',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined) return undefined;
    const limit = limitOf(subject);
    const times: number[] = [];
    // One slow call is enough.
    while (times.length < CALLS && !times.some((time) => time > limit))
      times.push(...(await callAtOnce(subject, object, session)));
    const slowest = Math.max(...times);
    if (slowest <= limit) return undefined;
    const timeoutMs = subject.webhook.timeoutSeconds * 1000;
    const took = `took ${Math.round(slowest)} ms under ${AT_ONCE} calls at once, with a timeout of ${timeoutMs} ms`;
    if (await isAlwaysSlow(subject, object, session)) return { message: took };
    return { message: `${took}, but not every time: not tied to an object`, isAboutServer: true };
  },
  persists: async ([subject], object, session) =>
    subject !== undefined && isAlwaysSlow(subject, object, session),
};

/** A busy machine delays single calls. The object is the reason only if the fastest of several is too slow. */
async function isAlwaysSlow(subject: Subject, object: JsonObject, session: Session): Promise<boolean> {
  return Math.min(...(await callAtOnce(subject, object, session))) > limitOf(subject);
}

/** The milliseconds of each call. */
function callAtOnce(subject: Subject, object: JsonObject, session: Session): Promise<number[]> {
  const request = session.requestFor([subject], object);
  const calls = Array.from({ length: AT_ONCE }, () => session.review(subject, request));
  return Promise.all(calls.map(async (call) => (await call).milliseconds));
}

function limitOf({ webhook }: Subject): number {
  return webhook.timeoutSeconds * 1000 * SHARE;
}
