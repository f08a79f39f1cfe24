import type { Outcome, Step } from '../pipeline/trace.ts';
import { LARGEST_PATCH } from './encode-response.ts';

/**
 * The denial in place of a patch that is too large, which names the injector that contributes most. Not an error: under
 * `failurePolicy: Ignore` a Pod could then switch off all injection by its size.
 */
export function denyLargePatch({ trace }: Outcome): Outcome {
  const injector = largestOf(trace);
  const reason = `the patch is too large: more than ${LARGEST_PATCH} bytes, most of it from injector "${injector}"`;
  const others = trace.filter((step) => step.injector !== injector);
  return {
    allowed: false,
    reason,
    injector,
    trace: [...others, { injector, round: 1, decision: 'denied', reason }],
  };
}

function largestOf(trace: readonly Step[]): string {
  const sizes = new Map<string, number>();
  for (const step of trace) {
    if (step.decision !== 'grafted') continue;
    let size = sizes.get(step.injector) ?? 0;
    // One by one, since together they may not fit in memory.
    for (const operation of step.patch) size += JSON.stringify(operation).length;
    sizes.set(step.injector, size);
  }
  const [largest] = [...sizes].sort(([, one], [, other]) => other - one);
  return largest?.[0] ?? '';
}
