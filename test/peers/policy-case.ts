import { resolveRequest } from '../../src/chain/request.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { Operation, UserInfo } from '../../src/policy/attributes.ts';
import { clusterObjects, metadataOf } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { evaluateValidatingPolicies } from '../../src/policy/evaluate-validating-policies.ts';
import { Reinvocation } from '../../src/policy/reinvocation.ts';
import { runMutatingPolicies } from '../../src/policy/run-mutating-policies.ts';
import type { Status } from '../../src/policy/status.ts';
import { typeMistakes } from '../../src/policy/type-mistakes.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';
import { type AuthorizerRule, authorizeByRules } from '../admission-scenarios/authorize-by-rules.ts';

/** A request that meets policies. */
export interface PolicyCase {
  readonly request: {
    readonly operation?: Operation;
    readonly resource?: string;
    readonly subResource?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly dryRun?: boolean;
    readonly userInfo?: UserInfo;
  };
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly resources: readonly JsonObject[];
  readonly authorizer?: readonly AuthorizerRule[];
}

/** Its outcome. */
export interface PolicyOutcome {
  readonly invalid?: { readonly [resource: string]: readonly string[] };
  readonly seen?: JsonObject;
  readonly object?: JsonObject;
  readonly reinvoked?: boolean;
  readonly error?: {
    readonly phase: 'mutating' | 'validating' | 'panic';
    readonly code: number;
    readonly reason?: string;
    readonly message: string;
    readonly causes?: readonly string[];
  };
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: { readonly [key: string]: string };
  /** By policy: `status.typeChecking.expressionWarnings`. */
  readonly typeChecking?: { readonly [name: string]: readonly ExpressionWarning[] };
}

interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Runs the policies of a case, `definitions` being the custom resources of the cluster. */
export function runPolicyCase(peer: PolicyCase, definitions: readonly JsonObject[] = []): PolicyOutcome {
  const invalid = Object.fromEntries(
    peer.resources.flatMap((resource) => {
      const errors = validatePolicy(resource).map(({ field, message }) => `${field}: ${message}`);
      return errors.length === 0
        ? []
        : [[`${String(resource.kind)}/${String(metadataOf(resource).name)}`, errors]];
    }),
  );
  if (Object.keys(invalid).length > 0) return { invalid };
  const cluster = clusterObjects([...peer.resources, ...definitions]);
  const { operation, resource, subResource, name, namespace, dryRun, userInfo } = peer.request;
  const source = (peer.object ?? peer.oldObject) as JsonObject;
  const resolved = resolveRequest(
    {
      ...(operation && { operation }),
      object: peer.object ?? null,
      oldObject: peer.oldObject ?? null,
      ...(resource && { resource: resourceFrom(resource, source) }),
      ...(subResource && { subresource: subResource }),
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(dryRun !== undefined && { dryRun }),
      ...(userInfo && { user: userInfo }),
    },
    (kind) =>
      cluster.customResource(kind) ?? { ...kind, resource: `${kind.kind.toLowerCase()}s`, namespaced: true },
  );
  const codec = codecOf(resolved.kind, cluster);
  const decode = (object: JsonObject | null) => {
    if (object === null) return null;
    const decoded = codec.decode(object);
    return codec.complete('error' in decoded ? object : decoded.value);
  };
  const request = { ...resolved, object: decode(resolved.object), oldObject: decode(resolved.oldObject) };
  const seen = request.object ?? undefined;
  const typeChecking = typeCheckingOf(peer.resources);
  const authorize = authorizeByRules(peer.authorizer ?? []);
  const inputs = { configurations: peer.resources, cluster, authorize };
  const reinvocation = new Reinvocation();
  let mutated = runMutatingPolicies(request, inputs, reinvocation, 0);
  const reinvoked = mutated.needsRound;
  if (reinvoked && mutated.status === undefined) {
    mutated = runMutatingPolicies({ ...request, object: mutated.object }, inputs, reinvocation, 1);
  }
  if (mutated.status !== undefined)
    return { ...(seen && { seen }), typeChecking, error: error('mutating', mutated.status) };
  const object = mutated.object;
  const validated = evaluateValidatingPolicies({ ...request, object }, inputs);
  return {
    ...(seen && { seen }),
    typeChecking,
    ...(object && { object }),
    ...(reinvoked && { reinvoked }),
    ...(validated.status && { error: error('validating', validated.status) }),
    warnings: validated.warnings,
    auditAnnotations: validated.auditAnnotations,
  };
}

function typeCheckingOf(resources: readonly JsonObject[]): NonNullable<PolicyOutcome['typeChecking']> {
  const policies = resources.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  const entries = policies.map((policy) => {
    const mistakes = typeMistakes(policy);
    const warnings = [...new Set(mistakes.map(({ field }) => field))].map((fieldRef) => ({
      fieldRef,
      warning: mistakes
        .filter(({ field }) => field === fieldRef)
        .map(({ kind: { group, version, kind }, error }) => {
          const issues = error.message.replace('compilation failed: ', '');
          return `${group}/${version}, Kind=${kind}: ${issues}\n`;
        })
        .join('\n'),
    }));
    return [String(metadataOf(policy).name), warnings] as const;
  });
  return Object.fromEntries(entries.filter(([, warnings]) => warnings.length > 0));
}

function error(phase: 'mutating' | 'validating', { code, reason, message, details }: Status) {
  const causes = details?.causes?.map((cause) => cause.message as string);
  return { phase, code, ...(reason && { reason }), message, ...(causes && code !== 500 && { causes }) };
}

/** The compared parts: messages without Go's internals; a panic only as such. */
export function comparableOutcome({
  invalid,
  seen,
  object,
  reinvoked,
  error,
  warnings,
  auditAnnotations,
  typeChecking,
}: PolicyOutcome): unknown {
  const cut = (text: string) => text.replace(/(, got ).*$/s, '$1');
  return {
    ...(invalid && { invalid }),
    ...(seen && { seen }),
    ...(object && { object }),
    reinvoked: reinvoked ?? false,
    error:
      error === undefined
        ? undefined
        : error.phase === 'panic' || error.code === 0
          ? 'panic'
          : {
              ...error,
              message: cut(error.message),
              causes: error.code === 500 ? undefined : error.causes?.map(cut),
            },
    warnings: warnings ?? [],
    auditAnnotations: auditAnnotations ?? {},
    typeChecking: typeChecking ?? {},
  };
}

function resourceFrom(text: string, { apiVersion }: JsonObject) {
  const [group, version] = String(apiVersion).includes('/')
    ? String(apiVersion).split('/')
    : ['', String(apiVersion)];
  return { group: group as string, version: version as string, resource: text };
}
