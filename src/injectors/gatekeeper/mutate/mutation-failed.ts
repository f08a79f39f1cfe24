import { PodgraftError } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';

/** A mutator that cannot be applied to an object. As in Gatekeeper, the whole request fails. */
export function mutationFailed({ title }: Mutator, problem: string): PodgraftError {
  return new PodgraftError('MUTATION_FAILED', `${title}: ${problem}`);
}
