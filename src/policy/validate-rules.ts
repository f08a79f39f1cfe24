import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldError, invalidValue, notSupported, required } from '../kube/field-error.ts';

const OPERATIONS = ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** API validation of the rules of webhooks and policies. */
export function validateRules(rules: Json | undefined, field: string): FieldError[] {
  return (isJsonArray(rules) ? rules : []).flatMap((rule, index) =>
    isJsonObject(rule) ? validateRule(rule, `${field}[${index}]`) : [],
  );
}

const MUTATING_OPERATIONS = OPERATIONS.filter((operation) => operation !== 'DELETE');

/** What mutating policies and their bindings do not support besides; the API server names no index, and each value once. */
export function validateMutatingOperations(rules: Json | undefined, field: string): FieldError[] {
  const found = (isJsonArray(rules) ? rules : [])
    .filter(isJsonObject)
    .flatMap((rule) => strings(rule.operations));
  return [...new Set(found)]
    .filter((operation) => !MUTATING_OPERATIONS.includes(operation))
    .map((operation) => notSupported(`${field}.operations`, operation, MUTATING_OPERATIONS));
}

function validateRule(rule: JsonObject, field: string): FieldError[] {
  const { scope } = rule;
  return [
    ...validateOperations(strings(rule.operations), `${field}.operations`),
    ...validateNames(strings(rule.apiGroups), `${field}.apiGroups`, 'API groups'),
    ...validateNames(strings(rule.apiVersions), `${field}.apiVersions`, 'API versions'),
    ...validateResources(strings(rule.resources), `${field}.resources`),
    ...(scope === undefined || ['*', 'Cluster', 'Namespaced'].includes(String(scope))
      ? []
      : [notSupported(`${field}.scope`, scope, ['*', 'Cluster', 'Namespaced'])]),
  ];
}

function validateOperations(found: readonly string[], field: string): FieldError[] {
  if (found.length === 0) return [required(field)];
  if (found.length > 1 && found.includes('*')) {
    return [invalidValue(field, found, "if '*' is present, must not specify other operations")];
  }
  return found.flatMap((operation, index) =>
    OPERATIONS.includes(operation) ? [] : [notSupported(`${field}[${index}]`, operation, OPERATIONS)],
  );
}

function validateNames(found: readonly string[], field: string, what: string): FieldError[] {
  if (found.length === 0) return [required(field)];
  if (found.length > 1 && found.includes('*')) {
    return [invalidValue(field, found, `if '*' is present, must not specify other ${what}`)];
  }
  if (what === 'API groups') return [];
  return found.flatMap((name, index) => (name === '' ? [required(`${field}[${index}]`)] : []));
}

function validateResources(found: readonly string[], field: string): FieldError[] {
  if (found.length === 0) return [required(field)];
  if (found.length > 1 && found.includes('*/*')) {
    return [invalidValue(field, found, "if '*/*' is present, must not specify other resources")];
  }
  const hasOthers = found.some((resource) => resource !== '*' && !resource.includes('/'));
  if (found.includes('*') && hasOthers) {
    return [
      invalidValue(field, found, "if '*' is present, must not specify other resources without subresources"),
    ];
  }
  return found.flatMap((resource, index) => {
    if (resource === '') return [required(`${field}[${index}]`)];
    const [parent, subresource] = resource.split('/');
    const isCovered = subresource !== undefined && subresource !== '*' && found.includes(`${parent}/*`);
    const message = `if '${parent}/*' is present, must not specify ${resource}`;
    return isCovered ? [invalidValue(`${field}[${index}]`, resource, message)] : [];
  });
}

function strings(value: Json | undefined): readonly string[] {
  return (isJsonArray(value) ? value : []).filter((item) => typeof item === 'string');
}
