export interface Budget {
  /** Actions, function calls and visited elements. */
  readonly steps: number;
  /** UTF-16 units of the output and of every intermediate string. */
  readonly output: number;
  /** Nested {{template}} calls. */
  readonly depth: number;
}

/**
 * Istio's sidecar template takes about 500 steps for 6 KB of output; a loop over every container and variable of a
 * large Pod stays below 20,000. Depth is far below Go's 100,000 because JavaScript's stack is smaller.
 */
export const DEFAULT_BUDGET: Budget = { steps: 200_000, output: 4 * 1024 * 1024, depth: 500 };

export class BudgetError extends Error {}

/** Counts the work of one execution. A function whose result may be large spends before it builds the result. */
export interface Meter {
  spend(steps: number): void;
  /** Call with the length of a string before building it. */
  reserve(length: number): void;
}

export function createMeter(budget: Budget): Meter {
  let left = budget.steps;
  return {
    spend(steps) {
      left -= steps;
      // Written so that a cost of NaN fails instead of disabling the meter.
      if (!(left >= 0)) throw new BudgetError(`exceeded the budget of ${budget.steps} steps`);
    },
    reserve(length) {
      if (length > budget.output) {
        throw new BudgetError(`exceeded the output budget of ${budget.output} characters`);
      }
      this.spend(length >> 6);
    },
  };
}

/** The steps for reading or copying a text. */
export function textCost(text: string): number {
  return text.length >> 6;
}
