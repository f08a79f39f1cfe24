/** The entry point `podgraft/cel`: the Common Expression Language as Kubernetes has it. */
export { CelError } from './cel-error.ts';
export { compile } from './compile.ts';
export { CelCompileError, compileMessages } from './compile-error.ts';
export { kubernetesEnvironment, variableType } from './kubernetes-environment.ts';
export { LazyVariables } from './lazy-variables.ts';
export type { Budget, Program } from './program.ts';
export { toJson } from './to-json.ts';
export { BOOL, DYN, type Type } from './types.ts';
export type { AccessCheck, AccessDecision, Authorize } from './values/authorizer-values.ts';
export { Optional } from './values/optional.ts';
