import { Reinvocation } from '../policy/reinvocation.ts';

/** The state of the mutating phase across rounds. */
export interface MutatingState {
  round: 0 | 1;
  /** Something changed the object, so that the whole phase runs a second time. */
  needsRound: boolean;
  /** managedFields were set by this request, and no patch has round-tripped them through JSON yet. */
  hasFreshTime: boolean;
  readonly webhooks: Reinvocation;
  readonly policies: Reinvocation;
}

export function newMutatingState(hasFreshTime: boolean): MutatingState {
  return {
    round: 0,
    needsRound: false,
    hasFreshTime,
    webhooks: new Reinvocation(),
    policies: new Reinvocation(),
  };
}
