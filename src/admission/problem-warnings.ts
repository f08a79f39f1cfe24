import type { KubeObject } from '../kube/kube-object.ts';
import { introducedProblems } from '../pipeline/result-problems.ts';
import type { Outcome } from '../pipeline/trace.ts';

const MOST_WARNINGS = 3;

/** Adds warnings that name the injectors whose changes make the API server reject the object. */
export function withProblemWarnings(object: KubeObject, outcome: Outcome): Outcome {
  if (!outcome.allowed || outcome.patch.length === 0) return outcome;
  const problems = introducedProblems(object, outcome);
  if (problems.length === 0) return outcome;
  const texts = problems
    .slice(0, MOST_WARNINGS)
    .map(
      ({ injector, path, message }) => `injector "${injector}" makes the object invalid: ${path}: ${message}`,
    );
  const rest = problems.length - texts.length;
  const more = rest > 0 ? [`injection makes the object invalid at ${rest} more places`] : [];
  return { ...outcome, warnings: [...outcome.warnings, ...texts, ...more] };
}
