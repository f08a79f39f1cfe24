import { type JsonObject, PodgraftError, sameJson } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';
import { matchesObject } from './matches-object.ts';
import { sameAfterDefaults } from './same-after-defaults.ts';
import type { Subject } from './subject.ts';
import { walk } from './walk.ts';

export interface Mutated {
  /** The very same object if nothing has changed. */
  readonly object: JsonObject;
  /** Those whose `match` held. */
  readonly applied: ReadonlySet<Mutator>;
  /** Those that changed something, in any round. */
  readonly changing: ReadonlySet<Mutator>;
}

/**
 * Runs mutators in order until a round leaves the object as it found it. What one changes can make another match, so that
 * all are matched again in every round.
 */
export function mutate(
  object: JsonObject,
  mutators: readonly Mutator[],
  subject: Subject,
  mostRounds: number,
): Mutated {
  const applied = new Set<Mutator>();
  const changing = new Set<Mutator>();
  let before = object;
  let last: readonly Mutator[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    let current = before;
    last = mutators.filter((mutator) => {
      if (!matchesObject(mutator, current, subject)) return false;
      applied.add(mutator);
      const next = walk(mutator, current, subject);
      const isChange = next !== current;
      current = next;
      return isChange;
    });
    // A later mutator may undo what an earlier one does in every round.
    if (current === before || sameJson(current, before) || sameAfterDefaults(before, current))
      return { object: before, applied, changing };
    before = current;
    for (const mutator of last) changing.add(mutator);
  }
  throw new PodgraftError(
    'MUTATION_FAILED',
    `Mutators do not settle after ${mostRounds} rounds: ${last.map(({ title, location }) => `${title} still changes "${location.text}"`).join(', ')}`,
  );
}
