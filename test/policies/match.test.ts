import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { compileConditions } from '../../src/config/compile-conditions.ts';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { annotationsOf, asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { groupOf } from '../../src/kube/resource.ts';
import { policiesOf } from '../../src/manifests/policies/policies.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { UserInfo } from '../../src/policy/attributes.ts';
import { clusterObjects } from '../../src/policy/cluster-objects.ts';
import { codecOf } from '../../src/policy/codec.ts';
import { Reinvocation } from '../../src/policy/reinvocation.ts';
import { runMutatingPolicies } from '../../src/policy/run-mutating-policies.ts';
import { validatePolicy } from '../../src/policy/validate-policy.ts';
import type { Match } from '../../src/sdk/match.ts';
import type { Request } from '../../src/sdk/request.ts';
import { randomMatch, randomObject, randomUser } from './random-match.ts';

/*
 * Random `match` and random requests: an injector touches the same objects as the policy that is generated from it.
 */

const MARK = 'example.com/matched';
const NAMESPACES = Object.entries<JsonObject>({
  shop: { team: 'a' },
  'prod-1': { team: 'b', 'example.com/x': 'y' },
  'kube-system': { team: 'a' },
}).map(([name, labels]): JsonObject => {
  const metadata = { name, labels: { ...labels, 'kubernetes.io/metadata.name': name } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
});

/** What random requests have found, some of it rarely. */
const FOUND = [
  found({ names: ['*'] }, { name: 'two\nlines' }),
  found({ users: [] }, { name: 'web' }, ''),
  found({ kinds: ['*'] }, { name: 'web', annotations: { 'kubernetes.io/config.mirror': 'x' } }),
];

function found(match: JsonObject, own: JsonObject, username = 'ann'): Sample {
  const metadata = { namespace: 'shop', ...own };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as unknown as KubeObject;
  return [{ kinds: ['ConfigMap'], ...match }, object, { username }, 'CREATE'];
}

const CLUSTER = clusterObjects(NAMESPACES);

type Sample = [match: JsonObject, object: KubeObject, user: UserInfo, operation: 'CREATE' | 'UPDATE'];
type Result = 'changed' | 'unchanged' | 'refused';

beforeAll(() => injector.prepare?.({ variables: { any: 'true' } }));

it('an injector and its generated policy touch the same objects', () => {
  const results = new Map<Result, number>();
  const operations = fc.constantFrom('CREATE' as const, 'UPDATE' as const);
  const check = (...[raw, object, userInfo, operation]: Sample) => {
    const pipeline = pipelineFor(raw);
    const held = asHeld(object);
    const made = requestFor(held, { operation, namespace: 'shop', username: '' });
    // A Namespace is in itself.
    const namespace = held.kind === 'Namespace' ? made.name : made.namespace;
    const old = operation === 'UPDATE' && { oldObject: held };
    const request: Request = { ...made, namespace, userInfo, ...old };
    const expected = byPipeline(pipeline, request, held);
    const found = byPolicy(pipeline, request, held);
    expect(found).toBe(expected);
    results.set(expected, (results.get(expected) ?? 0) + 1);
  };
  const property = fc.property(randomMatch, randomObject, randomUser, operations, check);
  fc.assert(property, { seed: 14, numRuns: Number(process.env.RUNS ?? 3000), examples: FOUND });
  for (const result of ['changed', 'unchanged', 'refused'] as const) {
    expect(results.get(result), result).toBeGreaterThan(20);
  }
});

it('a policy is for the versions of a kind that match lists', () => {
  const scaler = {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    resource: 'horizontalpodautoscalers',
    namespaced: true,
  };
  const [one, two] = ['v1', 'v2'].map((version) => ({ ...scaler, version }));
  const resultFor = (...kinds: unknown[]) => {
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 2 };
    const metadata = { name: 'web', namespace: 'shop' };
    const object = asHeld({
      apiVersion: 'autoscaling/v1',
      kind: scaler.kind,
      metadata,
      spec,
    } as unknown as KubeObject);
    const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
    return byPolicy(pipelineFor({ kinds } as JsonObject), request, object);
  };
  expect(resultFor(two)).toBe('unchanged');
  expect(resultFor(one)).toBe('changed');
  expect(resultFor(one, two)).toBe('changed');
});

/** As the API server holds it, without empty maps. */
function asHeld(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const group = groupOf(apiVersion);
  const codec = codecOf({ group, version: apiVersion.slice(apiVersion.indexOf('/') + 1), kind }, CLUSTER);
  const decoded = codec.decode(asJson(object));
  if ('error' in decoded) throw new Error(decoded.error);
  return codec.complete(decoded.value) as unknown as KubeObject;
}

function pipelineFor({ conditions, ...match }: JsonObject): Pipeline {
  const own = match as Match;
  const compiled = conditions as readonly string[] | undefined;
  const config = injector.config?.({ overlay: { metadata: { annotations: { [MARK]: 'yes' } } } });
  const report = ({ message }: { message: string }) => {
    throw new Error(message);
  };
  return createPipeline([
    {
      name: 'test',
      injector,
      config,
      match: { ...own, ...(compiled && { conditions: compileConditions(compiled, [], [], report) }) },
    },
  ]);
}

function byPipeline(pipeline: Pipeline, request: Request, object: KubeObject): Result {
  const outcome = runPipeline(pipeline, request, object, filesView(NAMESPACES as unknown as KubeObject[]));
  if (!outcome.allowed) return 'refused';
  return MARK in annotationsOf(outcome.object) ? 'changed' : 'unchanged';
}

function byPolicy(pipeline: Pipeline, request: Request, object: KubeObject): Result {
  const { objects, reasons } = policiesOf(pipeline, { name: 'test', action: 'Deny' });
  expect(reasons).toEqual([]);
  for (const policy of objects) expect(validatePolicy(policy)).toEqual([]);
  const names = objects.map(({ kind, metadata }) => `${kind}/${(metadata as JsonObject).name}`);
  expect(new Set(names).size).toBe(names.length);
  const attributes = {
    ...request,
    subresource: '',
    user: request.userInfo,
    object: asJson(object),
    oldObject: request.oldObject === undefined ? null : asJson(object),
    options: null,
  };
  const inputs = { configurations: objects, cluster: CLUSTER };
  const { object: next, status } = runMutatingPolicies(attributes, inputs, new Reinvocation(), 0);
  if (status !== undefined) return 'refused';
  return MARK in annotationsOf(next as unknown as KubeObject) ? 'changed' : 'unchanged';
}
