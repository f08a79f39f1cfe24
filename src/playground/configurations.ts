import { configurationProblems } from '../chain/configuration-problems.ts';
import type { Outcome } from '../chain/outcome.ts';
import type { JsonObject } from '../json/json.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { isConfiguration } from './workspace.ts';

/**
 * The webhook configurations and policies among objects. The injector `admission-policy` is for clusters whose API server does
 * not support policies.
 */
export function configurationsFor({ stages }: Pipeline, objects: readonly JsonObject[]): JsonObject[] {
  const hasInjector = stages.some(({ injector }) => injector.name === 'admission-policy');
  return objects.filter(
    (object) =>
      isConfiguration(object) &&
      !(hasInjector && String(object.kind).includes('AdmissionPolicy')) &&
      // The API server would not have stored it.
      configurationProblems(object) === undefined,
  );
}

/** The validation of webhook configurations and policies, which is not part of the chain. */
export function withValidation(outcome: Outcome, sent: JsonObject): Outcome {
  const status = outcome.allowed && isConfiguration(sent) ? configurationProblems(sent) : undefined;
  return status === undefined ? outcome : { ...outcome, allowed: false, status };
}
