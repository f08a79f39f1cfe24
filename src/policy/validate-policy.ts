import { CelCompileError } from '../cel/compile-error.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  internalValue,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../kube/field-error.ts';
import { qualifiedNameProblems } from '../kube/qualified-name.ts';
import { type Compiled, type CompiledPolicy, compilePolicy } from './compile-policy.ts';
import { parsePolicy } from './policy.ts';
import { validateMutatingOperations, validateRules } from './validate-rules.ts';
import { isVariableName } from './variable-name.ts';

const MOST_CONDITIONS = 64;
const MOST_ANNOTATIONS = 20;
const LONGEST_ANNOTATION = 5 * 1024;

/** API validation of a policy or of a binding, expressions included. */
export function validatePolicy(object: JsonObject): FieldError[] {
  const spec = members(object.spec);
  switch (object.kind) {
    case 'MutatingAdmissionPolicy':
      return validateMutating(object, spec);
    case 'ValidatingAdmissionPolicy':
      return validateValidating(object, spec);
    case 'MutatingAdmissionPolicyBinding':
      return validateBinding(spec, true);
    case 'ValidatingAdmissionPolicyBinding':
      return [...validateBinding(spec, false), ...validateActions(spec.validationActions)];
    default:
      return [];
  }
}

function validateMutating(object: JsonObject, spec: JsonObject): FieldError[] {
  const compiled = compilePolicy(parsePolicy(object, 'MutatingAdmissionPolicy'));
  const mutations = objectsIn(spec.mutations);
  return [
    ...validateCommon(spec, compiled, true),
    ...(mutations.length === 0 ? [required('spec.mutations')] : []),
    ...mutations.flatMap((mutation, index) =>
      validateMutation(mutation, compiled.mutations[index], `spec.mutations[${index}]`),
    ),
    ...oneOf(spec.reinvocationPolicy, 'spec.reinvocationPolicy', ['IfNeeded', 'Never'], true),
  ];
}

function validateMutation(mutation: JsonObject, program: Compiled | undefined, field: string): FieldError[] {
  const { patchType } = mutation;
  const fields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') {
    return oneOf(patchType, `${field}.patchType`, Object.keys(fields), true);
  }
  const own = fields[patchType];
  const other = patchType === 'JSONPatch' ? fields.ApplyConfiguration : fields.JSONPatch;
  if (mutation[other] !== undefined) {
    return [
      invalidValue(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`),
    ];
  }
  if (!isJsonObject(mutation[own]))
    return [required(`${field}.${own}`, `must be specified when patchType is ${patchType}`)];
  return expressionErrors(members(mutation[own]).expression, program, `${field}.${own}.expression`);
}

function validateValidating(object: JsonObject, spec: JsonObject): FieldError[] {
  const compiled = compilePolicy(parsePolicy(object, 'ValidatingAdmissionPolicy'));
  const validations = objectsIn(spec.validations);
  const annotations = objectsIn(spec.auditAnnotations);
  const isEmpty = validations.length === 0 && annotations.length === 0;
  const needed = 'validations or auditAnnotations must contain at least one item';
  return [
    ...validateCommon(spec, compiled, false),
    ...(isEmpty ? [required('spec.validations', needed), required('spec.auditAnnotations', needed)] : []),
    ...validations.flatMap((validation, index) => validateValidation(validation, compiled, index)),
    ...validateAnnotations(annotations, compiled),
  ];
}

function validateValidation(validation: JsonObject, compiled: CompiledPolicy, index: number): FieldError[] {
  const field = `spec.validations[${index}]`;
  const { expression, message, messageExpression, reason } = validation;
  return [
    ...expressionErrors(expression, compiled.validations[index], `${field}.expression`),
    ...(text(messageExpression) === ''
      ? []
      : expressionErrors(messageExpression, compiled.messages[index], `${field}.messageExpression`)),
    ...(text(message).includes('\n')
      ? [invalidValue(`${field}.message`, message, 'must not contain line breaks')]
      : []),
    ...(text(message) !== '' && text(message).trim() === ''
      ? [invalidValue(`${field}.message`, message, 'message must be non-empty if specified')]
      : []),
    ...oneOf(reason, `${field}.reason`, ['Forbidden', 'Invalid', 'RequestEntityTooLarge'], false),
  ];
}

function validateAnnotations(annotations: readonly JsonObject[], compiled: CompiledPolicy): FieldError[] {
  if (annotations.length > MOST_ANNOTATIONS) {
    return [tooMany('spec.auditAnnotations', annotations.length, MOST_ANNOTATIONS)];
  }
  const keys = new Set<string>();
  return annotations.flatMap(({ key, valueExpression }, index) => {
    const field = `spec.auditAnnotations[${index}]`;
    const name = text(key);
    const isRepeated = keys.has(name);
    keys.add(name);
    const isLong = text(valueExpression).length > LONGEST_ANNOTATION;
    return [
      ...(name === ''
        ? [required(`${field}.key`)]
        : qualifiedNameProblems(name).map((problem) => invalidValue(`${field}.key`, name, problem))),
      ...(isLong
        ? [required(`${field}.valueExpression`, `must not exceed ${LONGEST_ANNOTATION} bytes in length`)]
        : expressionErrors(valueExpression, compiled.annotations[index], `${field}.valueExpression`)),
      ...(isRepeated ? [duplicate(`${field}.key`, name)] : []),
    ];
  });
}

function validateCommon(spec: JsonObject, compiled: CompiledPolicy, isMutating: boolean): FieldError[] {
  return [
    ...oneOf(spec.failurePolicy, 'spec.failurePolicy', ['Fail', 'Ignore'], false),
    ...validateParamKind(spec.paramKind),
    ...validateConstraints(spec.matchConstraints, isMutating),
    ...conditionErrors(spec.matchConditions, compiled.matchConditions, 'spec.matchConditions'),
    ...validateVariables(objectsIn(spec.variables), compiled),
  ];
}

function validateParamKind(paramKind: Json | undefined): FieldError[] {
  if (!isJsonObject(paramKind)) return [];
  const { apiVersion, kind } = paramKind;
  const version = text(apiVersion);
  return [
    ...(version === '' ? [required('spec.paramKind.apiVersion')] : []),
    ...(version.split('/').length > 2
      ? [invalidValue('spec.paramKind.apiVersion', version, `unexpected GroupVersion string: ${version}`)]
      : []),
    ...(text(kind) === '' ? [required('spec.paramKind.kind')] : []),
  ];
}

function validateConstraints(constraints: Json | undefined, isMutating: boolean): FieldError[] {
  if (!isJsonObject(constraints)) return [required('spec.matchConstraints')];
  const field = 'spec.matchConstraints';
  const rules = constraints.resourceRules;
  return [
    ...(objectsIn(rules).length === 0 ? [required(`${field}.resourceRules`)] : []),
    ...validateRules(rules, `${field}.resourceRules`),
    ...validateRules(constraints.excludeResourceRules, `${field}.excludeResourceRules`),
    ...(isMutating ? validateMutatingOperations(rules, `${field}.resourceRules`) : []),
    ...oneOf(constraints.matchPolicy, `${field}.matchPolicy`, ['Equivalent', 'Exact'], false),
  ];
}

/** Of webhooks too. */
export function conditionErrors(
  conditions: Json | undefined,
  programs: readonly (Compiled | undefined)[],
  field: string,
): FieldError[] {
  const list = objectsIn(conditions);
  if (list.length > MOST_CONDITIONS) return [tooMany(field, list.length, MOST_CONDITIONS)];
  const names = new Set<string>();
  return list.flatMap(({ name, expression }, index) => {
    const at = `${field}[${index}]`;
    const isRepeated = names.has(text(name));
    names.add(text(name));
    return [
      ...expressionErrors(expression, programs[index], `${at}.expression`),
      ...(text(name) === ''
        ? [required(`${at}.name`)]
        : qualifiedNameProblems(text(name)).map((problem) => invalidValue(`${at}.name`, name, problem))),
      ...(isRepeated ? [duplicate(`${at}.name`, name)] : []),
    ];
  });
}

function validateVariables(variables: readonly JsonObject[], compiled: CompiledPolicy): FieldError[] {
  return variables.flatMap(({ name, expression }, index) => {
    const field = `spec.variables[${index}]`;
    if (text(name) === '') return [required(`${field}.name`, 'name is not specified')];
    return [
      ...(isVariableName(text(name))
        ? []
        : [invalidValue(`${field}.name`, name, 'must be a valid CEL identifier')]),
      ...expressionErrors(expression, compiled.variables.get(text(name)), `${field}.expression`),
    ];
  });
}

function expressionErrors(
  expression: Json | undefined,
  program: Compiled | undefined,
  field: string,
): FieldError[] {
  if (text(expression).trim() === '') return [required(field)];
  if (!(program instanceof CelCompileError)) return [];
  // What only the making of the program shows counts as the server's fault.
  return program.message.startsWith('program instantiation failed')
    ? [internalValue(field, program.message)]
    : [invalidValue(field, expression, program.message)];
}

function validateBinding(spec: JsonObject, isMutating: boolean): FieldError[] {
  const { policyName, paramRef, matchResources } = spec;
  const rules = isJsonObject(matchResources) ? matchResources.resourceRules : undefined;
  const field = 'spec.matchResources.resourceRules';
  return [
    ...(text(policyName) === '' ? [required('spec.policyName')] : []),
    ...(isJsonObject(paramRef) ? validateParamRef(paramRef) : []),
    ...validateRules(rules, field),
    ...(isMutating ? validateMutatingOperations(rules, field) : []),
  ];
}

function validateParamRef({ name, selector, parameterNotFoundAction }: JsonObject): FieldError[] {
  const field = 'spec.paramRef';
  const exclusive = 'name and selector are mutually exclusive';
  const hasName = text(name) !== '';
  const hasSelector = selector !== undefined && selector !== null;
  return [
    ...(hasName && hasSelector
      ? [forbiddenValue(`${field}.name`, exclusive), forbiddenValue(`${field}.selector`, exclusive)]
      : []),
    ...(hasName || hasSelector ? [] : [required(field, 'one of name or selector must be specified')]),
    ...oneOf(parameterNotFoundAction, `${field}.parameterNotFoundAction`, ['Deny', 'Allow'], true),
  ];
}

function validateActions(actions: Json | undefined): FieldError[] {
  const field = 'spec.validationActions';
  const list = isJsonArray(actions) ? actions : [];
  if (list.length === 0) return [required(field, 'at least one validation action is required')];
  const seen = new Set<Json>();
  const errors = list.flatMap((action, index) => {
    const isRepeated = seen.has(action);
    seen.add(action);
    if (isRepeated) return [duplicate(`${field}[${index}]`, action)];
    return oneOf(action, `${field}[${index}]`, ['Audit', 'Deny', 'Warn'], false);
  });
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return seen.has('Deny') && seen.has('Warn') ? [...errors, invalidValue(field, list, both)] : errors;
}

function oneOf(
  value: Json | undefined,
  field: string,
  allowed: readonly string[],
  isRequired: boolean,
): FieldError[] {
  if (value === undefined || value === '') return isRequired ? [required(field)] : [];
  return allowed.includes(String(value)) ? [] : [notSupported(field, value, allowed)];
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(value) ? value : []).filter(isJsonObject);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
