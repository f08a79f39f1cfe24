import type { WebhookAnswer } from '../../chain/read-answer.ts';
import type { JsonObject } from '../../json/json.ts';
import type { Check, Problem } from '../check.ts';
import { differences } from '../differences.ts';
import { ordersOf } from '../orders.ts';
import type { Session } from '../session.ts';
import type { Subject } from '../subject.ts';
import { listed } from './passes.ts';

export const order: Check = {
  id: 'order',
  title: 'the order of the webhooks does not matter',
  why: 'Webhooks are called by the names of their configurations. A new name, or a new webhook, gives another order.',
  mend: 'Let each webhook decide by what the user wrote, not by what other webhooks have or have not done yet.',
  scope: 'set',
  objects: 'all',
  async examine(subjects, object, session) {
    const mutating = subjects.filter(({ webhook }) => webhook.type === 'mutating');
    if (mutating.length < 2) return undefined;
    // The same call gets the same answer, else another check fails.
    const answers = new Map<string, Promise<WebhookAnswer>>();
    const found = await firstDifference(ordersOf(mutating, session.seed), object, session, answers);
    if (found === undefined) return undefined;
    const pair = await disagreeing(mutating, object, session, answers);
    const who = pair ?? mutating;
    return {
      message: `depends on the order of ${who.map(({ webhook }) => webhook.name).join(' and ')}: ${found.message}`,
      ...(found.paths && { paths: found.paths }),
      culprits: who.map(({ id }) => id),
    };
  },
};

async function firstDifference(
  orders: Iterable<readonly Subject[]>,
  object: JsonObject,
  session: Session,
  answers: Map<string, Promise<WebhookAnswer>>,
): Promise<Problem | undefined> {
  let first: JsonObject | string | undefined;
  for (const subjects of orders) {
    // Labels for selectors must not depend on the order.
    const request = session.requestFor([], object);
    const outcome = await session.admit(subjects, request, { answers });
    const result = outcome.allowed ? (outcome.object ?? {}) : outcome.status.message;
    first ??= result;
    if (typeof first === 'string' || typeof result === 'string') {
      if (typeof first === typeof result) continue;
      return {
        message: `in one order it is rejected (${typeof first === 'string' ? first : String(result)})`,
      };
    }
    const paths = differences(first, result).map(({ path }) => path);
    if (paths.length > 0) return { message: `differs at ${listed(paths)}`, paths };
  }
  return undefined;
}

/** The first two webhooks that disagree by themselves. */
async function disagreeing(
  subjects: readonly Subject[],
  object: JsonObject,
  session: Session,
  answers: Map<string, Promise<WebhookAnswer>>,
): Promise<readonly Subject[] | undefined> {
  for (const [index, one] of subjects.entries()) {
    for (const other of subjects.slice(index + 1)) {
      const orders = [
        [one, other],
        [other, one],
      ];
      if ((await firstDifference(orders, object, session, answers)) !== undefined) return [one, other];
    }
  }
  return undefined;
}
