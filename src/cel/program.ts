import { CelError } from './cel-error.ts';
import { CostError } from './cost-error.ts';
import type { Bindings, Frame, Step } from './plan/frame.ts';
import { CANCELLED, isExhausted } from './plan/plan.ts';
import type { Type } from './types.ts';
import { Failure } from './values/values.ts';
import { limitWork } from './work.ts';

/** A compiled expression. It may be evaluated any number of times. */
export interface Program {
  readonly expression: string;
  /** The type that the checker found for the result. */
  readonly type: Type;
  /** Returns the result, or throws a CelError. What it costs is taken from the budget, if one is given. */
  evaluate(bindings: Bindings, budget?: Budget): unknown;
}

/** Units that several evaluations may spend together. Each of them may spend `COST_LIMIT` at most. */
export interface Budget {
  remaining: number;
}

/** The API server's limit for one expression. One unit is intended to be 100 ns. */
export const COST_LIMIT = 1_000_000;

/** The message of the error when a budget is exhausted. */
export const BUDGET_EXHAUSTED =
  'validation failed due to running out of cost budget, no further validation rules will be run';

export function createProgram(expression: string, type: Type, step: Step, localCount: number): Program {
  return {
    expression,
    type,
    evaluate(bindings, budget) {
      const frame: Frame = {
        bindings,
        locals: localCount === 0 ? NO_LOCALS : new Array(localCount),
        cost: 0,
        limit: COST_LIMIT,
      };
      const value = limitWork(run, step, frame);
      if (budget !== undefined) {
        budget.remaining -= frame.cost;
        if (budget.remaining < 0) throw new CelError(BUDGET_EXHAUSTED);
      }
      if (isExhausted(frame)) throw new CelError(CANCELLED.message);
      if (value instanceof Failure) throw new CelError(value.message);
      return value;
    },
  };
}

const NO_LOCALS: unknown[] = [];

/**
 * Failures are values, unless nothing may absorb them. Values may be nested deeper than the engine can follow, and strings
 * may be longer than JavaScript allows.
 */
function run(step: Step, frame: Frame): unknown {
  try {
    return step(frame);
  } catch (error) {
    if (error instanceof CostError) {
      // Only what was charged counts so far, and the work was more than an expression may do.
      frame.cost = frame.limit + 1;
      return CANCELLED;
    }
    if (error instanceof RangeError || error instanceof CelError) return new Failure(error.message);
    throw error;
  }
}
