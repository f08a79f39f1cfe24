import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { metadataOf } from './cluster-objects.ts';
import { type Rule, rulesOf } from './match-rules.ts';

/** What both kinds of policies have, with the API's defaults. */
export interface Policy {
  readonly kind: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy';
  /** The object itself: what is derived from it is cached by it. */
  readonly source: JsonObject;
  readonly name: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly matchConstraints: MatchResources;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  /** Of mutating policies. */
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  readonly mutations: readonly Mutation[];
  /** Of validating policies. */
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly valueExpression: string }[];
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string | undefined;
  readonly reason: string | undefined;
}

export interface MatchResources {
  readonly namespaceSelector: JsonObject;
  readonly objectSelector: JsonObject;
  readonly resourceRules: readonly Rule[];
  readonly excludeResourceRules: readonly Rule[];
  readonly matchPolicy: 'Equivalent' | 'Exact';
}

export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: JsonObject | undefined;
  readonly matchResources: MatchResources | undefined;
  readonly validationActions: readonly string[];
}

export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly PolicyBinding[];
}

/** The policies of one kind with their bindings, by name. The API server's own order is random. */
export function policiesOf(objects: readonly JsonObject[], kind: Policy['kind']): readonly BoundPolicy[] {
  const bindings = byName(objects, `${kind}Binding`).map(parseBinding);
  return byName(objects, kind).map((source) => {
    const policy = parsePolicy(source, kind);
    return { policy, bindings: bindings.filter(({ policyName }) => policyName === policy.name) };
  });
}

function byName(objects: readonly JsonObject[], kind: string): readonly JsonObject[] {
  const name = (object: JsonObject) => String(metadataOf(object).name);
  return objects
    .filter((object) => object.kind === kind)
    .toSorted((one, other) => (name(one) < name(other) ? -1 : 1));
}

export function parsePolicy(source: JsonObject, kind: Policy['kind']): Policy {
  const spec = members(source.spec);
  const paramKind = isJsonObject(spec.paramKind) ? spec.paramKind : undefined;
  return {
    kind,
    source,
    name: String(metadataOf(source).name),
    failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKind && { apiVersion: text(paramKind.apiVersion), kind: text(paramKind.kind) },
    matchConstraints: parseMatch(members(spec.matchConstraints)),
    matchConditions: objectsIn(spec.matchConditions).map(parseNamed),
    variables: objectsIn(spec.variables).map(parseNamed),
    reinvocationPolicy: spec.reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : 'Never',
    mutations: objectsIn(spec.mutations).map((mutation) => {
      const patchType = mutation.patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
      const field = patchType === 'JSONPatch' ? mutation.jsonPatch : mutation.applyConfiguration;
      return { patchType, expression: text(members(field).expression) };
    }),
    validations: objectsIn(spec.validations).map(({ expression, message, messageExpression, reason }) => ({
      expression: text(expression),
      message: text(message),
      messageExpression: text(messageExpression) === '' ? undefined : text(messageExpression),
      reason: text(reason) === '' ? undefined : text(reason),
    })),
    auditAnnotations: objectsIn(spec.auditAnnotations).map(({ key, valueExpression }) => ({
      key: text(key),
      valueExpression: text(valueExpression),
    })),
  };
}

function parseBinding(source: JsonObject): PolicyBinding {
  const spec = members(source.spec);
  return {
    name: String(metadataOf(source).name),
    policyName: text(spec.policyName),
    paramRef: isJsonObject(spec.paramRef) ? spec.paramRef : undefined,
    matchResources: isJsonObject(spec.matchResources) ? parseMatch(spec.matchResources) : undefined,
    validationActions: (isJsonArray(spec.validationActions) ? spec.validationActions : []).map(text),
  };
}

function parseMatch(match: JsonObject): MatchResources {
  return {
    namespaceSelector: members(match.namespaceSelector),
    objectSelector: members(match.objectSelector),
    resourceRules: rulesOf(match.resourceRules),
    excludeResourceRules: rulesOf(match.excludeResourceRules),
    matchPolicy: match.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
  };
}

function parseNamed({ name, expression }: JsonObject): NamedExpression {
  return { name: text(name), expression: text(expression) };
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
