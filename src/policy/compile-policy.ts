import { cacheByObject } from '../cache.ts';
import { compile } from '../cel/compile.ts';
import { CelCompileError } from '../cel/compile-error.ts';
import type { Environment } from '../cel/declarations.ts';
import { kubernetesEnvironment, variableType } from '../cel/kubernetes-environment.ts';
import type { VariablePrograms } from '../cel/lazy-variables.ts';
import type { Program } from '../cel/program.ts';
import { BOOL, listOf, NULL, STRING, struct, type Type } from '../cel/types.ts';
import type { JsonObject } from '../json/json.ts';
import type { NamedExpression, Policy } from './policy.ts';
import { parsePolicy } from './policy.ts';

/** A program or a compile error. */
export type Compiled = Program | CelCompileError;

export interface CompiledPolicy {
  readonly matchConditions: readonly Compiled[];
  readonly variables: VariablePrograms;
  readonly mutations: readonly Compiled[];
  readonly validations: readonly Compiled[];
  /** Undefined where a validation has none. */
  readonly messages: readonly (Compiled | undefined)[];
  readonly annotations: readonly Compiled[];
}

/** The expressions of a policy, compiled once. */
export function compiledPolicy(policy: Policy): CompiledPolicy {
  return policy.kind === 'MutatingAdmissionPolicy' ? mutating(policy.source) : validating(policy.source);
}

const mutating = cacheByObject((source: JsonObject) =>
  compilePolicy(parsePolicy(source, 'MutatingAdmissionPolicy')),
);
const validating = cacheByObject((source: JsonObject) =>
  compilePolicy(parsePolicy(source, 'ValidatingAdmissionPolicy')),
);

const OBJECT = struct('Object');
const JSON_PATCHES = listOf(struct('JSONPatch'));
export const ANNOTATION_TYPES = [STRING, NULL];

export function compilePolicy(policy: Policy): CompiledPolicy {
  const params = policy.paramKind !== undefined;
  const conditions = kubernetesEnvironment({ params, authorizer: true });
  const { programs, types } = compileVariables(policy.variables, params);
  // A validating policy without variables does not declare `variables` when it is stored.
  const isDeclared = policy.kind === 'MutatingAdmissionPolicy' || policy.variables.length > 0;
  const variables = isDeclared ? { variables: types } : {};
  const full = kubernetesEnvironment({ params, authorizer: true, ...variables });
  const messages = kubernetesEnvironment({ params, ...variables });
  const mutations = kubernetesEnvironment({ params, authorizer: true, ...variables, mutation: true });
  return {
    matchConditions: policy.matchConditions.map(({ expression }) => tryCompile(expression, conditions, BOOL)),
    variables: programs,
    mutations: policy.mutations.map(({ expression, patchType }) =>
      tryCompile(expression, mutations, patchType === 'JSONPatch' ? JSON_PATCHES : OBJECT),
    ),
    validations: policy.validations.map(({ expression }) => tryCompile(expression, full, BOOL)),
    messages: policy.validations.map(({ messageExpression }) =>
      messageExpression === undefined ? undefined : tryCompile(messageExpression, messages, STRING),
    ),
    annotations: policy.auditAnnotations.map(({ valueExpression }) =>
      tryCompile(valueExpression, full, ANNOTATION_TYPES),
    ),
  };
}

/** Each variable may use those before it. A repeated name stands for the last. */
function compileVariables(variables: readonly NamedExpression[], params: boolean) {
  const programs = new Map<string, Compiled>();
  const types: Record<string, Type> = {};
  for (const { name, expression } of variables) {
    const environment = kubernetesEnvironment({ params, authorizer: true, variables: { ...types } });
    const compiled = tryCompile(expression, environment);
    programs.set(name, compiled);
    types[name] = variableType(compiled instanceof CelCompileError ? undefined : compiled.type);
  }
  return { programs, types };
}

export function tryCompile(
  expression: string,
  environment: Environment,
  resultType?: Type | readonly Type[],
): Compiled {
  try {
    return compile(expression, environment, resultType === undefined ? {} : { resultType });
  } catch (error) {
    if (error instanceof CelCompileError) return error;
    throw error;
  }
}
