import type { Attributes } from '../policy/attributes.ts';
import { evaluateValidatingPolicies } from '../policy/evaluate-validating-policies.ts';
import type { PolicyTrace } from '../policy/policy-trace.ts';
import { runMutatingPolicies as runPolicies } from '../policy/run-mutating-policies.ts';
import type { Status } from '../policy/status.ts';
import type { ChainContext, Mutated } from './context.ts';
import type { MutatingState } from './mutating-state.ts';

/** The mutating policies as a part of the mutating phase. */
export function runMutatingPolicies(
  request: Attributes,
  state: MutatingState,
  context: ChainContext,
): Mutated {
  const started = performance.now();
  const outcome = runPolicies(request, context, state.policies, state.round);
  record(outcome.trace, 'mutating', state.round, started, context);
  if (outcome.status !== undefined) return { status: outcome.status };
  if (outcome.needsRound) state.needsRound = true;
  if (outcome.isRecoded) state.hasFreshTime = false;
  return { object: outcome.object };
}

/** The validating policies as a part of the validating phase. */
export function runValidatingPolicies(request: Attributes, context: ChainContext): Status | undefined {
  const started = performance.now();
  const outcome = evaluateValidatingPolicies(request, context);
  record(outcome.trace, 'validating', 0, started, context);
  for (const warning of outcome.warnings) context.recorder.warn(warning);
  for (const [key, value] of Object.entries(outcome.auditAnnotations)) context.recorder.annotate(key, value);
  return outcome.status;
}

/** Policies are pure and have no clock: the total time is divided equally among them. */
function record(
  trace: readonly PolicyTrace[],
  phase: 'mutating' | 'validating',
  round: number,
  started: number,
  { recorder }: ChainContext,
): void {
  const milliseconds = (performance.now() - started) / Math.max(1, trace.length);
  for (const each of trace) recorder.step({ type: 'policy', phase, round, milliseconds, ...each });
}
