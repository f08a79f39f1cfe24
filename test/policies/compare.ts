import { expect } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { withDefaults } from '../../src/kube/api-defaults.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Attributes } from '../../src/policy/attributes.ts';
import { clusterObjects } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { evaluateValidatingPolicies } from '../../src/policy/evaluate-validating-policies.ts';
import { Reinvocation } from '../../src/policy/reinvocation.ts';
import { runMutatingPolicies } from '../../src/policy/run-mutating-policies.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';

export interface Comparison {
  readonly reasons?: readonly { readonly reason: string }[];
  /** The object as the pipeline leaves it, with the API's defaults. */
  readonly expected?: JsonObject;
  /** As the generated policies leave it. */
  readonly found?: JsonObject;
  /** Instead of both objects, if the pipeline denies it. */
  readonly denied?: { readonly byPolicies: string | undefined };
}

/** Runs a pipeline and the policies that are generated from it. Also checks that the policies are valid, and settle. */
export function compare(
  pipeline: Pipeline,
  given: JsonObject,
  {
    objects: others = [],
    username = 'ann',
  }: { objects?: readonly KubeObject[]; username?: string | undefined } = {},
): Comparison {
  const { objects, reasons } = policiesOf(pipeline, { name: 'podgraft', action: 'Deny' });
  if (reasons.length > 0) return { reasons };
  for (const policy of objects) expect(validatePolicy(policy)).toEqual([]);
  const metadata = { namespace: 'shop', ...(given.metadata as JsonObject) };
  const object = withDefaults({ ...given, metadata } as unknown as KubeObject);
  const request = requestFor(object, { operation: 'CREATE', namespace: metadata.namespace, username });
  const outcome = runPipeline(pipeline, request, object, filesView(others));

  const cluster = clusterObjects(others.map(asJson));
  const codec = codecOf(request.kind, cluster);
  /** As the API server holds it. */
  const held = (json: JsonObject): JsonObject => {
    const decoded = codec.decode(json);
    if ('error' in decoded) throw new Error(decoded.error);
    return codec.complete(decoded.value);
  };
  const namespace: JsonObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: metadata.namespace },
  };
  const inputs = {
    configurations: objects,
    cluster: {
      ...cluster,
      get: (group: string, kind: string, place: string, name: string) =>
        cluster.get(group, kind, place, name) ?? (kind === 'Namespace' ? namespace : undefined),
      namespaceLabels: (name: string) =>
        cluster.namespaceLabels(name) ?? { 'kubernetes.io/metadata.name': name },
    },
  };
  const attributes: Attributes = {
    ...request,
    subresource: '',
    user: request.userInfo,
    object: held(asJson(object)),
    oldObject: null,
    options: null,
  };
  // As on the API server: a policy that ran is run once more.
  const mutate = (from: JsonObject | null) =>
    runMutatingPolicies({ ...attributes, object: from }, inputs, new Reinvocation(), 0);
  if (!outcome.allowed) return { denied: { byPolicies: mutate(attributes.object).status?.message } };
  const pass = (from: JsonObject) => {
    const { object: next, status } = mutate(from);
    if (status !== undefined) throw new Error(status.message);
    return next as JsonObject;
  };
  const found = pass(pass(attributes.object as JsonObject));
  expect(pass(found)).toEqual(found);
  const { status } = evaluateValidatingPolicies({ ...attributes, object: found }, inputs);
  expect(status?.message).toBeUndefined();
  return { expected: held(asJson(outcome.object)), found };
}
