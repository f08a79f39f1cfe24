import type { Outcome } from '../../chain/outcome.ts';
import type { Check, Problem } from '../check.ts';
import { differences } from '../differences.ts';
import { listed } from './passes.ts';

export const dryRun: Check = {
  id: 'dry-run',
  title: 'a dry run has no visible side effects',
  why: '`kubectl diff` and `apply --dry-run=server` show what would happen. They must change nothing and show what would really happen.',
  fix: 'Answer a dry run like any other request, but write nothing outside the answer.',
  scope: 'each',
  objects: 'all',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined) return undefined;
    const { sideEffects } = subject.webhook;
    if (sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
      const message = `has sideEffects "${sideEffects}", so that every dry run is refused`;
      return { message, isAboutServer: true };
    }
    const request = session.requestFor(subjects, object);
    const send = (dryRun: boolean) => session.admit(subjects, { ...request, dryRun });
    const [first, second] = [await send(true), await send(true)];
    const left = difference(first, second);
    if (left !== undefined)
      return problem('answers a second dry run differently: the first one left something behind', left);
    const other = session.isLive ? undefined : difference(first, await send(false));
    return other && problem('answers a dry run differently from the request itself', other);
  },
};

/** The places where two outcomes differ, none if one of them is a rejection; undefined if they are the same. */
function difference(one: Outcome, other: Outcome): readonly string[] | undefined {
  if (!one.allowed || !other.allowed) {
    const messages = [one, other].map((outcome) => (outcome.allowed ? '' : outcome.status.message));
    return messages[0] === messages[1] ? undefined : [];
  }
  // Patches may be equivalent in another order.
  const paths = differences(one.object ?? {}, other.object ?? {}).map(({ path }) => path);
  return paths.length > 0 ? paths : undefined;
}

function problem(message: string, paths: readonly string[]): Problem {
  return paths.length === 0 ? { message } : { message: `${message}, at ${listed(paths)}`, paths };
}
