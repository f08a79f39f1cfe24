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
  fix: 'Let each webhook depend on what the user wrote, not on what other webhooks have done so far.',
  scope: 'set',
  objects: 'all',
  async examine(subjects, object, session) {
    const mutating = subjects.filter(({ webhook }) => webhook.type === 'mutating');
    if (mutating.length < 2) return undefined;
    // The same call gets the same answer, else another check fails.
    const answers = new Map<string, Promise<WebhookAnswer>>();
    const found = await firstDifference(ordersOf(mutating, session.seed), object, session, answers);
    if (found === undefined) return undefined;
    const pairs = await disagreeing(mutating, object, session, answers);
    // No pair disagrees alone: it takes more of them.
    const groups = pairs.length > 0 ? pairs : [{ group: mutating, problem: found }];
    const messages = groups.map(
      ({ group, problem }) =>
        `of ${group.map(({ webhook }) => webhook.name).join(' and ')}: ${problem.message}`,
    );
    return {
      message: `depends on the order ${messages.join('; and ')}`,
      paths: [...new Set(groups.flatMap(({ problem }) => problem.paths ?? []))],
      culprits: [...new Set(groups.flatMap(({ group }) => group.map(({ id }) => id)))],
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

interface Disagreement {
  readonly group: readonly Subject[];
  readonly problem: Problem;
}

/** All pairs of webhooks that disagree by themselves. */
async function disagreeing(
  subjects: readonly Subject[],
  object: JsonObject,
  session: Session,
  answers: Map<string, Promise<WebhookAnswer>>,
): Promise<readonly Disagreement[]> {
  const found: Disagreement[] = [];
  for (const [index, one] of subjects.entries()) {
    for (const other of subjects.slice(index + 1)) {
      const orders = [
        [one, other],
        [other, one],
      ];
      const problem = await firstDifference(orders, object, session, answers);
      if (problem !== undefined) found.push({ group: [one, other], problem });
    }
  }
  return found;
}
