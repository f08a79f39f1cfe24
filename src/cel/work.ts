import { CostError } from './cost-error.ts';

// Kubernetes' costs bound the time of an expression only roughly: comparing two objects costs one unit, however large they
// are, and a function costs little more than an operator. So the engine also counts slow operations. One unit of
// work takes about 10 ns.

/** The limit of one evaluation, including the variables that it uses: 30 ms. */
const WORK_LIMIT = 3_000_000;

let left = 0;
let isLimited = false;

/** Runs an evaluation with a limit. Evaluations within it share the limit. */
export function limitWork<A, B, T>(run: (a: A, b: B) => T, a: A, b: B): T {
  if (isLimited) return run(a, b);
  isLimited = true;
  left = WORK_LIMIT;
  try {
    return run(a, b);
  } finally {
    isLimited = false;
  }
}

/** Call before the work is done. Nothing absorbs the error. Outside of evaluations, work is not limited. */
export function spendWork(units: number): void {
  left -= units;
  // Written so that NaN fails instead of disabling the limit.
  if (!(left >= 0) && isLimited) throw new CostError();
}

/** The work of the current evaluation, or of the last one. */
export function spentWork(): number {
  return WORK_LIMIT - left;
}
