import type { Outcome, Step } from '../pipeline/trace.ts';

/**
 * The API server reads answers of any size, but etcd stores objects of at most 1.5 MiB: a patch of 8 MiB, which has a path
 * besides each value, is for an object that cannot be stored. In base64 it takes 11 MiB.
 */
export const LARGEST_ANSWER = 11 * 1024 * 1024;

/**
 * The denial in place of a patch that is too large, which names the injector that contributes most. Not an error: under
 * `failurePolicy: Ignore` a Pod could then switch off all injection by its size.
 */
export function denyLargePatch({ trace }: Outcome): Outcome {
  const injector = largestOf(trace);
  const reason = `the patch is too large: the answer would have more than ${LARGEST_ANSWER} bytes, most of it from injector "${injector}"`;
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
    sizes.set(step.injector, (sizes.get(step.injector) ?? 0) + JSON.stringify(step.patch).length);
  }
  const [largest] = [...sizes].sort(([, one], [, other]) => other - one);
  return largest?.[0] ?? '';
}
