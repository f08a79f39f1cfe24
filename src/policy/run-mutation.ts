import { CostError } from '../cel/cost-error.ts';
import { bindingsWith } from '../cel/lazy-variables.ts';
import { limitWork } from '../cel/work.ts';
import type { JsonObject } from '../json/json.ts';
import { applyConfiguration } from './apply/apply-configuration.ts';
import { applyJsonPatch } from './apply/apply-json-patch.ts';
import type { GroupVersionKind } from './attributes.ts';
import { type ExpressionRequest, expressionBindings } from './bindings.ts';
import type { Codec } from './codec.ts';
import type { Compiled, CompiledPolicy } from './compile-policy.ts';
import { BudgetExhausted, evaluate } from './evaluate.ts';
import type { Mutation } from './policy.ts';
import type { PolicyDecision } from './policy-trace.ts';
import type { Status } from './status.ts';

/** Units for one mutation and the variables it uses. */
const MUTATION_BUDGET = 10_000_000;

export type RunMutation = { readonly decision: PolicyDecision } & (
  | { readonly object: JsonObject }
  | { readonly error: string }
  /** Not subject to failurePolicy. */
  | { readonly status: Status }
);

/** Evaluates one mutation on the object as it is now, and applies its result. Variables are evaluated anew for each. */
export function runMutation(
  mutation: Mutation,
  program: Compiled,
  variables: CompiledPolicy['variables'],
  context: ExpressionRequest & { readonly object: JsonObject },
  kind: GroupVersionKind,
  codec: Codec,
): RunMutation {
  const { expression } = mutation;
  const failed = (error: string) => ({ decision: { expression, message: error }, error });
  const bindings = expressionBindings(context);
  const budget = { remaining: MUTATION_BUDGET };
  try {
    const result = evaluate(program, bindingsWith(variables, bindings, budget), budget);
    if ('error' in result) return failed(result.error);
    const { object, oldObject, params } = context;
    const apply = (value: unknown) =>
      mutation.patchType === 'JSONPatch'
        ? applyJsonPatch(value, object, codec)
        : applyConfiguration(value, object, kind, codec, [object, oldObject, params ?? null]);
    // A small expression can make a value that is huge as JSON.
    const applied = limitWork(apply, result.value, undefined);
    if ('status' in applied) {
      const { status, patch } = applied;
      return { decision: { expression, patch, message: status.message }, status };
    }
    if ('error' in applied) return failed(applied.error);
    return { decision: { expression, patch: applied.patch }, object: applied.object };
  } catch (error) {
    if (error instanceof BudgetExhausted || error instanceof CostError) return failed(error.message);
    throw error;
  }
}
