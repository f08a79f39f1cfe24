import { compileMessages } from '../../cel/index.ts';
import { typeMistakes, validatePolicy } from '../../policy/index.ts';
import { cacheByObject, isJsonObject, type JsonObject } from '../../sdk/index.ts';
import type { PolicySettings } from './policy-settings.ts';

/** Whether a policy or binding is run. An invalid one does not affect the others. */
export function isUsable(object: JsonObject, config: PolicySettings): boolean {
  return problemOf(object, config) === undefined;
}

/** Why a policy or binding is not run; undefined if it is. */
export function problemOf(object: JsonObject, { params }: PolicySettings): string | undefined {
  const [error] = errorsOf(object);
  const name = isJsonObject(object.metadata) ? String(object.metadata.name) : '';
  const subject = `${String(object.kind)} "${name}" is not run`;
  if (error !== undefined) return `${subject}: ${error}`;
  const paramKind = isJsonObject(object.spec) ? object.spec.paramKind : undefined;
  if (!isJsonObject(paramKind)) return undefined;
  const { apiVersion, kind } = paramKind;
  const group = String(apiVersion).includes('/') ? String(apiVersion).split('/')[0] : '';
  if (params.some((ref) => ref.kind === kind && ref.group === group)) return undefined;
  return `${subject}: its paramKind "${String(apiVersion)}, ${String(kind)}" is not among "params" of the configuration`;
}

const errorsOf = cacheByObject((object: JsonObject) =>
  validatePolicy(object).map(({ field, message }) => `${field}: ${message}`),
);

/** Mistakes in the expressions of a validating policy that is run. They fail for every object of a kind that reaches them. */
export const typeProblemsOf = cacheByObject((object: JsonObject): readonly string[] => {
  if (object.kind !== 'ValidatingAdmissionPolicy' || errorsOf(object).length > 0) return [];
  const name = isJsonObject(object.metadata) ? String(object.metadata.name) : '';
  return typeMistakes(object).flatMap(({ field, kind, error }) =>
    compileMessages(error).map(
      (message) => `ValidatingAdmissionPolicy "${name}": ${field}: ${message} (for ${kind.kind})`,
    ),
  );
});
