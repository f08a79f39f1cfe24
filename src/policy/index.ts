/** The entry point `podgraft/policy`: Mutating- and ValidatingAdmissionPolicies as a library. */
export type { Attributes } from './attributes.ts';
export { DeferredBindings } from './bindings.ts';
export { type ClusterObjects, clusterObjects } from './cluster-objects.ts';
export { type Codec, codecOf } from './codec.ts';
export { evaluateValidatingPolicies } from './evaluate-validating-policies.ts';
export type { PolicyInputs } from './inputs.ts';
export { messagesElsewhere } from './messages-elsewhere.ts';
export { isOnlyOfTypes, type ObjectTypes, objectTypes } from './object-types.ts';
export type { PolicyDecision, PolicyTrace } from './policy-trace.ts';
export { Reinvocation } from './reinvocation.ts';
export { runMutatingPolicies } from './run-mutating-policies.ts';
export { type TypeMistake, typeMistakes } from './type-mistakes.ts';
export { validatePolicy } from './validate-policy.ts';
export { isVariableName } from './variable-name.ts';
