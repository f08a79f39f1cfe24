import { CelError } from './cel-error.ts';

/** An expression did too much work. Unlike other errors, `&&` and `||` cannot absorb it. */
export class CostError extends CelError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
