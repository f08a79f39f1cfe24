import { authorizerBindings } from '../../src/cel/authorizer.ts';
import { CelError } from '../../src/cel/cel-error.ts';
import { compile } from '../../src/cel/compile.ts';
import { CelCompileError } from '../../src/cel/compile-error.ts';
import { kubernetesEnvironment, variableType } from '../../src/cel/kubernetes-environment.ts';
import { bindingsWith } from '../../src/cel/lazy-variables.ts';
import type { Program } from '../../src/cel/program.ts';
import { BOOL, formatResultType, listOf, NULL, STRING, struct, type Type } from '../../src/cel/types.ts';
import type { AccessCheck, AccessDecision } from '../../src/cel/values/authorizer-values.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { clusterObjects } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { runMutation } from '../../src/policy/run-mutation.ts';
import { tagValue } from './cel-values.ts';
import { parseJson } from './parse-cel-json.ts';

/** An expression with Kubernetes' answer. */
export interface CelCase {
  readonly name: string;
  readonly topic: string;
  readonly kind:
    | 'expression'
    | 'matchCondition'
    | 'validation'
    | 'messageExpression'
    | 'auditAnnotation'
    | 'mutation';
  readonly patchType?: 'JSONPatch' | 'ApplyConfiguration';
  readonly expression: string;
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly objectJSON?: string;
  readonly params?: unknown;
  readonly request?: {
    readonly resource?: Partial<AccessCheck>;
    readonly subResource?: string;
  } & Partial<AccessCheck>;
  readonly namespaceObject?: unknown;
  readonly authorizer?: readonly AuthorizerRule[];
  readonly user?: string;
  readonly expect: {
    readonly compileError?: string;
    readonly error?: string;
    readonly value?: unknown;
    readonly type?: string;
    readonly cost?: number;
    /** The object after the patch; if it could not be applied, `error` comes with `value`. */
    readonly object?: JsonObject;
  };
}

interface AuthorizerRule extends Partial<Omit<AccessCheck, 'user'>> {
  readonly user?: string;
  readonly decision?: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
  readonly error?: string;
}

export type CaseOutcome = { readonly cost: number } & (
  | { readonly compileError: string }
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string; readonly error: string }
);

/** Compiles and evaluates the expression of a case, as the API server would in that place. */
export function runCase(each: CelCase, objects: Readonly<Record<string, unknown>>): CaseOutcome {
  const budget = { remaining: BUDGET };
  const { programs, types } = compileVariables(each);
  let program: Program;
  try {
    program = compile(each.expression, environmentFor(each, types), resultTypeOf(each));
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { compileError: error.message, cost: 0 };
  }
  const type = formatResultType(program.type);
  const bindings = bindingsWith(programs, bindingsOf(each, objects), budget);
  try {
    const value = tagValue(program.evaluate(bindings, budget));
    return { type, value, cost: BUDGET - budget.remaining };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { type, error: error.message, cost: BUDGET - budget.remaining };
  }
}

/** Applies the result of a mutation to the object of the case. Objects are as they are decoded from JSON, with defaults. */
export function runMutationCase(
  each: CelCase,
  objects: Readonly<Record<string, unknown>>,
): { readonly object: JsonObject } | { readonly error: string } {
  const { programs, types } = compileVariables(each);
  const { expression, patchType = 'JSONPatch' } = each;
  const program = compile(expression, environmentFor(each, types), resultTypeOf(each));
  const { object, oldObject, params } = bindingsOf(each, objects);
  const before = object as JsonObject;
  const { kind, codec } = kindAndCodec(before);
  const resource = { group: kind.group, version: kind.version, resource: '' };
  const { namespace = '', name = '' } = each.request ?? {};
  const outcome = runMutation(
    { expression, patchType },
    program,
    programs,
    {
      request: {
        operation: 'CREATE',
        kind,
        resource,
        subresource: '',
        namespace,
        name,
        object: before,
        oldObject: null,
        options: {},
        dryRun: false,
        user: { username: '' },
      },
      kind,
      resource,
      object: before,
      oldObject: oldObject as JsonObject | null,
      namespaceObject: null,
      params: params as JsonObject | undefined,
    },
    kind,
    codec,
  );
  if ('object' in outcome) return { object: decoded(outcome.object) };
  return { error: 'error' in outcome ? outcome.error : outcome.status.message };
}

/** An object with its defaults. */
export function decoded(object: JsonObject): JsonObject {
  const { codec } = kindAndCodec(object);
  const result = codec.decode(object);
  return codec.complete('error' in result ? object : result.value);
}

function kindAndCodec({ apiVersion, kind }: JsonObject) {
  const [version = '', group = ''] = String(apiVersion).split('/').toReversed();
  const groupVersionKind = { group, version, kind: String(kind) };
  return { kind: groupVersionKind, codec: codecOf(groupVersionKind, clusterObjects([])) };
}

/** More than any case costs. */
const BUDGET = 10_000_000;

function compileVariables(each: CelCase) {
  const programs = new Map<string, Program | CelCompileError>();
  const types: Record<string, Type> = {};
  for (const { name, expression } of each.variables ?? []) {
    const environment = kubernetesEnvironment({
      params: 'params' in each,
      authorizer: true,
      variables: { ...types },
    });
    try {
      const program = compile(expression, environment);
      programs.set(name, program);
      types[name] = variableType(program.type);
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      programs.set(name, error);
      types[name] = variableType(undefined);
    }
  }
  return { programs, types };
}

function environmentFor(each: CelCase, variables: Readonly<Record<string, Type>>) {
  return kubernetesEnvironment({
    params: 'params' in each,
    authorizer: each.kind !== 'messageExpression',
    mutation: each.kind === 'mutation',
    ...(each.kind !== 'matchCondition' && { variables }),
  });
}

function resultTypeOf({ kind, patchType }: CelCase): { resultType?: Type | readonly Type[] } {
  switch (kind) {
    case 'expression':
      return {};
    case 'messageExpression':
      return { resultType: STRING };
    case 'auditAnnotation':
      return { resultType: [STRING, NULL] };
    case 'mutation':
      return { resultType: patchType === 'JSONPatch' ? listOf(struct('JSONPatch')) : struct('Object') };
    default:
      return { resultType: BOOL };
  }
}

function bindingsOf(each: CelCase, objects: Readonly<Record<string, unknown>>) {
  const { request = {}, kind } = each;
  const named = (value: unknown) => (typeof value === 'string' ? objects[value] : (value ?? null));
  const { group = '', resource = '' } = request.resource ?? {};
  const { subResource: subresource = '', namespace = '', name = '' } = request;
  // Messages and audit annotations are evaluated without an authorizer.
  const hasAuthorizer = kind !== 'messageExpression' && kind !== 'auditAnnotation';
  const authorizer = authorizerBindings(
    (check) => decide(each.authorizer ?? [], check),
    { username: each.user ?? '' },
    { group, resource, subresource, namespace, name },
  );
  return {
    object: each.objectJSON === undefined ? named(each.object) : parseJson(each.objectJSON),
    oldObject: named(each.oldObject),
    request,
    namespaceObject: each.namespaceObject ?? null,
    params: each.params,
    ...(hasAuthorizer && authorizer),
  };
}

/** The first rule that matches decides. Fields that are absent or empty match anything. */
function decide(rules: readonly AuthorizerRule[], check: AccessCheck): AccessDecision {
  const asked: Readonly<Record<string, unknown>> = { ...check, user: check.user.username };
  const rule = rules.find((candidate) =>
    RULE_FIELDS.every((field) => !candidate[field] || candidate[field] === asked[field]),
  );
  if (rule === undefined) return { allowed: false };
  const { decision = 'allow', reason, error } = rule;
  return { allowed: decision === 'allow', ...(reason && { reason }), ...(error && { error }) };
}

const RULE_FIELDS = [
  'user',
  'verb',
  'path',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
] as const;
