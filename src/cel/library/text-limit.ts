import { CostError } from '../cost-error.ts';

/**
 * Any use of a longer text exceeds the cost of an expression, 1,000,000 units of ten characters each. Some functions can
 * make far longer ones from short arguments before their result is charged.
 */
export const MAX_TEXT_LENGTH = 10_000_000;

export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new CostError();
}
