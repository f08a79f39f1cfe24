import { type JsonObject, PodgraftError } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';
import type { Batch } from './batches.ts';
import { matchesContent } from './matches-object.ts';
import { sameAfterDefaults } from './same-after-defaults.ts';
import type { Subject } from './subject.ts';
import { walk } from './walk.ts';

export interface Mutated {
  /** The very same object if nothing has changed. */
  readonly object: JsonObject;
  /** Those whose `match` held, in any round. */
  readonly applied: ReadonlySet<Batch>;
  /** Those that changed something, in any round. */
  readonly changing: readonly Mutator[];
}

/**
 * Runs the mutators for a namespace in order until a round leaves the object as it found it. A change of one can make another
 * match, so all are matched again in every round.
 */
export function mutate(
  object: JsonObject,
  batches: readonly Batch[],
  subject: Subject,
  mostRounds: number,
): Mutated {
  const applied = new Set<Batch>();
  const changing: Mutator[] = [];
  let before = object;
  let last: Mutator[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    let current = before;
    last = [];
    for (const batch of batches) {
      // Only a mutator that is alone can depend on the content.
      if (!matchesContent(batch.mutators[0] as Mutator, current, subject)) continue;
      applied.add(batch);
      current = walk(batch.route, current, subject, last);
    }
    // A later mutator may undo what an earlier one does in every round.
    if (sameAfterDefaults(before, current)) {
      return { object: before, applied, changing: inOrder(changing, batches) };
    }
    before = current;
    for (const mutator of last) changing.push(mutator);
  }
  throw new PodgraftError(
    'MUTATION_FAILED',
    `Mutators do not settle after ${mostRounds} rounds: ${inOrder(last, batches)
      .map(({ title, location }) => `${title} still changes "${location.text}"`)
      .join(', ')}`,
  );
}

/** Without duplicates. */
function inOrder(mutators: readonly Mutator[], batches: readonly Batch[]): readonly Mutator[] {
  const ordered: Mutator[] = [];
  if (mutators.length === 0) return ordered;
  const known = new Set(mutators);
  for (const batch of batches)
    for (const mutator of batch.mutators) if (known.has(mutator)) ordered.push(mutator);
  return ordered;
}
