import { TOKEN } from './regexp-syntax.ts';

/**
 * An upper bound of the steps that compiling a pattern takes: one for an instruction, 40 for a Unicode class, and 1000 for
 * a wide range under `(?i)`, which the engine expands character by character. A step takes less than a microsecond.
 */
export function compileCost(pattern: string): number {
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  const foldsCase = /\(\?[a-zA-Z]*i/.test(pattern);
  const wideRanges = foldsCase ? (pattern.match(/-(?:\\[x0-7]|[^ -~])/g)?.length ?? 0) : 0;
  // For every class or group name, the engine searches the rest of the pattern for its end.
  const searches = Math.floor(pattern.length ** 2 / 4096);
  return searches + instructionBound(pattern) + 40 * classes + 1000 * wideRanges;
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
