import type { CelCompileError } from '../cel/compile-error.ts';
import { kubernetesEnvironment, variableType } from '../cel/kubernetes-environment.ts';
import type { Type } from '../cel/types.ts';
import type { JsonObject } from '../json/json.ts';
import { groupOf, type ResourceRef, resourceOf, resourcesServed } from '../kube/resource.ts';
import { tryCompile } from './compile-policy.ts';
import { isOnlyOfTypes, objectTypes } from './object-types.ts';
import { type Policy, parsePolicy } from './policy.ts';

/** An expression that fails for every object of a kind, unless it is never evaluated. */
export interface TypeMistake {
  /** `spec.validations[0].expression` */
  readonly field: string;
  readonly kind: ResourceRef;
  readonly error: CelCompileError;
}

/**
 * The mistakes of a ValidatingAdmissionPolicy that show once `object`, `oldObject` and `params` have the types of their kinds. The
 * controller manager reports them in `status.typeChecking`: of validations only, and for kinds that the rules name without wildcards.
 * Unlike there, quantities have a type, and `authorizer.requestResource` is known.
 */
export function typeMistakes(source: JsonObject): readonly TypeMistake[] {
  const policy = parsePolicy(source, 'ValidatingAdmissionPolicy');
  return kindsOf(policy).flatMap((kind) => {
    const compile = compilerFor(policy, kind);
    const mistakes = policy.validations.flatMap(({ expression, messageExpression }, index) => [
      { field: `spec.validations[${index}].expression`, error: compile(expression) },
      { field: `spec.validations[${index}].messageExpression`, error: compile(messageExpression) },
    ]);
    return mistakes.flatMap(({ field, error }) => (error === undefined ? [] : [{ field, kind, error }]));
  });
}

const MOST_KINDS = 10;

function kindsOf({ matchConstraints }: Policy): readonly ResourceRef[] {
  const kinds = matchConstraints.resourceRules.flatMap(({ apiGroups, apiVersions, resources }) =>
    resourcesServed(apiGroups, apiVersions, resources),
  );
  return [...new Set(kinds)].toSorted((one, other) => (one.kind < other.kind ? -1 : 1)).slice(0, MOST_KINDS);
}

/** Returns the error of an expression; undefined if it has none. */
function compilerFor({ paramKind, variables }: Policy, kind: ResourceRef) {
  const objects = objectTypes(kind, []);
  const paramsRef = paramKind && resourceOf(groupOf(paramKind.apiVersion), paramKind.kind);
  const params = paramsRef && objectTypes(paramsRef, []);
  const found: Record<string, Type> = {};
  const types = {
    ...(objects && { object: objects.object, oldObject: objects.object }),
    ...(params && { params: params.object }),
  };
  const compile = (expression: string) =>
    tryCompile(
      expression,
      kubernetesEnvironment({
        params: paramKind !== undefined,
        authorizer: true,
        variables: { ...found },
        types,
        findStruct: (name) => objects?.findStruct(name) ?? params?.findStruct(name),
      }),
    );
  for (const { name, expression } of variables) {
    const compiled = compile(expression);
    found[name] = variableType(compiled instanceof Error ? undefined : compiled.type);
  }
  return (expression: string | undefined): CelCompileError | undefined => {
    const compiled = expression === undefined ? undefined : compile(expression);
    return compiled instanceof Error && !isOnlyOfTypes(compiled.message) ? compiled : undefined;
  };
}
