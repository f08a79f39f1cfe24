import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveRequest } from '../../src/chain/request.ts';
import type { Json, JsonObject } from '../../src/json/json.ts';
import type { Operation, UserInfo } from '../../src/policy/attributes.ts';
import { clusterObjects, metadataOf } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { evaluateValidatingPolicies } from '../../src/policy/evaluate-validating-policies.ts';
import { Reinvocation } from '../../src/policy/reinvocation.ts';
import { runMutatingPolicies } from '../../src/policy/run-mutating-policies.ts';
import type { Status } from '../../src/policy/status.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';
import { type AuthorizerRule, authorizeByRules } from '../admission-scenarios/authorize-by-rules.ts';
import { peersFolder } from './peers-folder.ts';

/** The data's own README explains the format. */
interface PeerCase {
  readonly name: string;
  readonly deterministic?: boolean;
  readonly alternatives?: readonly Expected[];
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
  readonly expect: Expected;
}

interface Expected {
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
}

const folder = peersFolder('admission-policy');
const cases =
  folder === undefined ? [] : (JSON.parse(readFileSync(`${folder}/cases.json`, 'utf8')) as PeerCase[]);

/** Cases that are not run, each with the reason. */
const leftOut: { readonly [name: string]: string } = {};

describe.skipIf(folder === undefined)('admission policies of Kubernetes 1.36.4', () => {
  it('fewer than 2 in 100 cases are left out, and each is one of them', () => {
    const names = cases.map(({ name }) => name);
    expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(leftOut).length / cases.length).toBeLessThan(0.02);
  });

  it.each(cases.filter(({ name }) => !(name in leftOut)))('$name', (peer) => {
    const found = run(peer);
    const wanted = [peer.expect, ...(peer.alternatives ?? [])].map(comparable);
    if (wanted.length === 1) expect(found).toEqual(wanted[0]);
    else expect(wanted).toContainEqual(found);
  });
});

function run(peer: PeerCase): unknown {
  const invalid = Object.fromEntries(
    peer.resources.flatMap((resource) => {
      const errors = validatePolicy(resource).map(({ field, message }) => `${field}: ${message}`);
      return errors.length === 0
        ? []
        : [[`${String(resource.kind)}/${String(metadataOf(resource).name)}`, errors]];
    }),
  );
  if (Object.keys(invalid).length > 0) return comparable({ invalid });
  const cluster = clusterObjects([...peer.resources, ...DEFINITIONS]);
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
  const authorize = authorizeByRules(peer.authorizer ?? []);
  const inputs = { configurations: peer.resources, cluster, authorize };
  const reinvocation = new Reinvocation();
  let mutated = runMutatingPolicies(request, inputs, reinvocation, 0);
  const reinvoked = mutated.needsRound;
  if (reinvoked && mutated.status === undefined) {
    mutated = runMutatingPolicies({ ...request, object: mutated.object }, inputs, reinvocation, 1);
  }
  if (mutated.status !== undefined)
    return comparable({ seen, error: error('mutating', mutated.status) } as Expected);
  const object = mutated.object;
  const validated = evaluateValidatingPolicies({ ...request, object }, inputs);
  return comparable({
    seen,
    ...(object && { object }),
    ...(reinvoked && { reinvoked }),
    ...(validated.status && { error: error('validating', validated.status) }),
    warnings: validated.warnings,
    auditAnnotations: validated.auditAnnotations,
  } as Expected);
}

function error(phase: 'mutating' | 'validating', { code, reason, message, details }: Status) {
  const causes = details?.causes?.map((cause) => cause.message as string);
  return { phase, code, ...(reason && { reason }), message, ...(causes && code !== 500 && { causes }) };
}

/** What is compared: messages up to the parts that print Go's insides; a panic only as such. */
function comparable({
  invalid,
  seen,
  object,
  reinvoked,
  error,
  warnings,
  auditAnnotations,
}: Expected): unknown {
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
  };
}

function resourceFrom(text: string, { apiVersion }: JsonObject) {
  const [group, version] = String(apiVersion).includes('/')
    ? String(apiVersion).split('/')
    : ['', String(apiVersion)];
  return { group: group as string, version: version as string, resource: text };
}

/** The custom resources that the cases take for granted. */
const DEFINITIONS: readonly JsonObject[] = [
  definition('Limits', 'limits', 'Namespaced', {
    'x-kubernetes-preserve-unknown-fields': true,
    type: 'object',
  }),
  definition('ClusterLimits', 'clusterlimits', 'Cluster', {
    'x-kubernetes-preserve-unknown-fields': true,
    type: 'object',
  }),
  definition('Widget', 'widgets', 'Namespaced', {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          ratio: { type: 'number' },
          port: { 'x-kubernetes-int-or-string': true },
          name: { type: 'string' },
          on: { type: 'boolean' },
          plain: { type: 'array', items: { type: 'string' } },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
          },
          fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  }),
];

function definition(kind: string, plural: string, scope: string, openAPIV3Schema: Json): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
