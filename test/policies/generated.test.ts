import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { withDefaults } from '../../src/kube/api-defaults.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Attributes } from '../../src/policy/attributes.ts';
import { clusterObjects } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { evaluateValidatingPolicies } from '../../src/policy/evaluate-validating-policies.ts';
import { Reinvocation } from '../../src/policy/reinvocation.ts';
import { runMutatingPolicies } from '../../src/policy/run-mutating-policies.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';
import { OVERLAYS, PODS } from './overlays.ts';
import { randomOverlay } from './random-overlay.ts';

const cluster = clusterObjects([]);
const kind = { group: '', version: 'v1', kind: 'Pod' };
const codec = codecOf(kind, cluster);

/** As the API server holds it. */
function held(object: JsonObject): JsonObject {
  const decoded = codec.decode(object);
  if ('error' in decoded) throw new Error(decoded.error);
  return codec.complete(decoded.value);
}

/** The object as the pipeline and as the generated policies leave it, both with the API's defaults. */
function compare(overlay: JsonObject, pod: JsonObject) {
  const pipeline = createPipeline([{ name: 'test', injector, config: injector.config?.({ overlay }) }]);
  const { objects, reasons } = policiesOf(pipeline, { name: 'podgraft', failClosed: true, action: 'Deny' });
  if (reasons.length > 0) return { reasons };
  for (const object of objects) expect(validatePolicy(object)).toEqual([]);
  const metadata = { ...(pod.metadata as object), name: 'web', namespace: 'shop' };
  const object = withDefaults({ apiVersion: 'v1', kind: 'Pod', ...pod, metadata } as unknown as KubeObject);
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  const outcome = runPipeline(pipeline, request, object, { get: () => undefined, list: () => [] });
  if (!outcome.allowed) throw new Error(outcome.reason);
  const inputs = { configurations: objects, cluster: { ...cluster, namespaceLabels: () => ({}) } };
  const attributes: Attributes = {
    ...request,
    subresource: '',
    user: request.userInfo,
    object: held(asJson(object)),
    oldObject: null,
    options: null,
  };
  const run = (from: JsonObject) => {
    const { object: next, status } = runMutatingPolicies(
      { ...attributes, object: from },
      inputs,
      new Reinvocation(),
      0,
    );
    if (status !== undefined) throw new Error(status.message);
    return next as JsonObject;
  };
  const found = run(attributes.object as JsonObject);
  expect(run(found)).toEqual(found);
  const check = (checked: JsonObject) =>
    evaluateValidatingPolicies({ ...attributes, object: checked }, inputs).status?.message;
  expect(check(found)).toBeUndefined();
  return {
    expected: held(asJson(outcome.object)),
    found,
    first: check(attributes.object as JsonObject),
  };
}

describe.each(Object.keys(OVERLAYS))('overlay %s', (title) => {
  it.each(Object.keys(PODS))('gives the same object as a policy: Pod %s', (name) => {
    const result = compare(OVERLAYS[title] as JsonObject, PODS[name] as JsonObject);
    expect(result.reasons).toBeUndefined();
    expect(result.found).toEqual(result.expected);
  });
});

it('gives the same object for random overlays', () => {
  const samples = fc.sample(fc.tuple(randomOverlay, fc.constantFrom(...Object.values(PODS))), {
    seed: 14,
    numRuns: 60,
  });
  const results = samples.map(([overlay, pod]) => ({ overlay, ...compare(overlay, pod) }));
  const compared = results.filter(({ reasons }) => reasons === undefined);
  for (const { overlay, found, expected } of compared)
    expect({ overlay, found }).toEqual({ overlay, found: expected });
  expect(compared.length).toBeGreaterThan(30);
}, 120_000);
