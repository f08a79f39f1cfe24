import { TOKEN } from '../../golang/regexp-syntax.ts';
import type { Meter } from '../meter.ts';

/**
 * Charges an upper bound of the cost of compiling a pattern: one step for an instruction, 40 for a Unicode class, and
 * 1000 for a wide range under `(?i)`, which the engine expands character by character.
 */
export function chargeCompile(pattern: string, meter: Meter): void {
  // For every class or group name, the engine searches the rest of the pattern for its end.
  meter.spend(Math.floor(pattern.length ** 2 / 4096));
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  const foldsCase = /\(\?[a-zA-Z]*i/.test(pattern);
  const wideRanges = foldsCase ? (pattern.match(/-(?:\\[x0-7]|[^ -~])/g)?.length ?? 0) : 0;
  meter.spend(instructionBound(pattern) + 40 * classes + 1000 * wideRanges);
}

/** Go rejects nested repetitions whose product is larger. */
const MAX_REPEAT = 1000;

function instructionBound(pattern: string): number {
  const enclosing: number[] = [];
  let size = 0;
  let last = 0;
  for (const [token, , min, max] of pattern.matchAll(TOKEN)) {
    if (token.startsWith('(')) {
      enclosing.push(size);
      size = 0;
    } else if (token === ')') {
      last = size + 2;
      size = last + (enclosing.pop() ?? 0);
    } else if (min !== undefined) {
      // The engine copies the repeated operand.
      const copies = Math.min(Math.max(Number(min), Number(max ?? 0), 1), MAX_REPEAT) - 1;
      size += copies * last;
      last += copies * last;
    } else {
      last = 2;
      size += token.length;
    }
  }
  return Math.min(
    enclosing.reduce((sum, part) => sum + part, size),
    MAX_REPEAT * pattern.length,
  );
}
