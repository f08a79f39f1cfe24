import { CelError } from '../cel/cel-error.ts';
import { CelCompileError } from '../cel/compile-error.ts';
import type { Bindings } from '../cel/plan/frame.ts';
import { BUDGET_EXHAUSTED, type Budget } from '../cel/program.ts';
import type { Compiled } from './compile-policy.ts';

/** The result of one expression, or its error as the API server words it. */
export type Evaluated = { readonly value: unknown } | { readonly error: string };

/** The budget of a whole batch is spent. */
export class BudgetExhausted extends Error {
  constructor() {
    super(BUDGET_EXHAUSTED);
  }
}

export function evaluate(program: Compiled, bindings: Bindings, budget: Budget): Evaluated {
  if (program instanceof CelCompileError) return { error: `compilation error: ${program.message}` };
  try {
    return { value: program.evaluate(bindings, budget) };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    if (budget.remaining < 0) throw new BudgetExhausted();
    return { error: `expression '${program.expression}' resulted in error: ${error.message}` };
  }
}

/** Units for all matchConditions of one webhook or policy. */
const CONDITIONS_BUDGET = 2_500_000;

/** All true; or one that is false, whatever the others do; or the errors of those that failed. */
export type ConditionResult = true | { readonly unmet: number } | { readonly error: string };

/** Evaluates all conditions: one that is false counts more than errors of others. */
export function evaluateConditions(conditions: readonly Compiled[], bindings: Bindings): ConditionResult {
  const budget = { remaining: CONDITIONS_BUDGET };
  // Equal errors are reported once.
  const errors = new Set<string>();
  let unmet: number | undefined;
  try {
    for (const [index, condition] of conditions.entries()) {
      const result = evaluate(condition, bindings, budget);
      if ('error' in result) errors.add(result.error);
      else if (result.value !== true) unmet ??= index;
    }
  } catch (error) {
    if (error instanceof BudgetExhausted) return { error: error.message };
    throw error;
  }
  if (unmet !== undefined) return { unmet };
  if (errors.size === 0) return true;
  const texts = [...errors].join(', ');
  return { error: errors.size === 1 ? texts : `[${texts}]` };
}
