import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { compileConditions } from '../config/compile-conditions.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { defineInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { overlay } from '../sdk/verdict.ts';
import { missingNeeds } from './needs.ts';
import { createPipeline, type OnError } from './pipeline.ts';
import { requestFor } from './run-manifest.ts';
import { runStages } from './run-pipeline.ts';
import { selectStages } from './select-stages.ts';
import { validateStages } from './validate-stages.ts';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
const view = filesView([]);
const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'me' });
const injector = defineInjector<unknown>({
  name: 'test',
  summary: '',
  match: {},
  needs: () => [],
  inject: () => overlay({}),
  validate: () => ({ summary: 'fine' }),
});
const select = (conditions: NonNullable<Match['conditions']>, onError: OnError = 'fail') =>
  selectStages(
    createPipeline([{ name: 'house', injector, match: { conditions }, onError }]),
    request,
    pod,
    view,
  );
const compiled = (...expressions: string[]) =>
  compileConditions(expressions, [], [], ({ message }) => {
    throw new Error(message);
  });
const inject = (...expressions: string[]) =>
  runStages(select(compiled(...expressions)), request, pod, view).trace[0];
const FAILS = "object.metadata.labels['a'] == 'x'";

describe('conditions', () => {
  test.each([
    ['after it', [FAILS, 'has(object.metadata.labels)']],
    ['before it', ['has(object.metadata.labels)', FAILS]],
  ])('that are false count more than one that fails: %s', (_, expressions) => {
    expect(inject(...expressions)).toMatchObject({
      decision: 'unmatched',
      reason: 'condition is not true: has(object.metadata.labels)',
    });
  });

  test('that fail beside others that are true deny the object', () => {
    expect(inject('true', FAILS, "object.metadata.name == 'web'")).toMatchObject({
      decision: 'denied',
      reason: `Injector "house" failed: condition '${FAILS}' resulted in error: no such key: labels`,
    });
  });

  test('that fail are all named', () => {
    expect(inject(FAILS, 'object.spec.nope == 1')).toMatchObject({
      decision: 'denied',
      reason: `Injector "house" failed: [condition '${FAILS}' resulted in error: no such key: labels, condition 'object.spec.nope == 1' resulted in error: no such key: nope]`,
    });
  });

  test('that fail for the final object deny it', () => {
    const reason = `Injector "house" failed: condition '${FAILS}' resulted in error: no such key: labels`;
    const { denial, trace } = validateStages(select(compiled(FAILS)), request, pod, view);
    expect(denial).toEqual({ reason, injector: 'house' });
    expect(trace).toEqual([{ injector: 'house', round: 1, decision: 'denied', reason }]);
  });

  test('that fail for the final object are skipped with onError: skip', () => {
    const { warnings, trace } = validateStages(select(compiled(FAILS), 'skip'), request, pod, view);
    expect(trace).toMatchObject([{ injector: 'house', decision: 'failed' }]);
    expect(warnings).toEqual([expect.stringMatching(/^Injector "house" failed: .*; it was skipped$/)]);
  });

  test('are evaluated once for an object that no injector changes', () => {
    let calls = 0;
    const holds = () => {
      calls++;
      return true;
    };
    const selection = select([{ expression: 'true', holds }]);
    missingNeeds(selection, request, pod, view);
    runStages(selection, request, pod, view);
    validateStages(selection, request, pod, view);
    expect(calls).toBe(1);
  });
});

describe('an object that is too large', () => {
  const args = Array.from({ length: 100_001 }, () => '');
  const large: KubeObject = { ...pod, spec: { containers: [{ name: 'web', image: 'nginx', args }] } };
  const SIZE = 'it has more than 100000 values';
  const general = defineInjector<unknown>({ ...injector, match: { kinds: ['*'], operations: ['*'] } });
  const denied = (object: KubeObject, match: Match = {}, change: object = {}, view = filesView([])) => {
    const pipeline = createPipeline([{ name: 'house', injector: general, match }], ['kube-system'], 'deny');
    const changed = { ...request, ...change };
    const selection = selectStages(pipeline, changed, object, view);
    return runStages(selection, changed, object, view);
  };

  test('is left alone by default', () => {
    const selection = selectStages(createPipeline([{ name: 'house', injector }]), request, large, view);
    expect(runStages(selection, request, large, view)).toMatchObject({
      allowed: true,
      trace: [{ decision: 'unmatched', reason: `the Pod is invalid: ${SIZE}` }],
    });
  });

  test.each<[string, KubeObject, string]>([
    ['values', large, `the Pod is too large: ${SIZE}`],
    [
      'nesting',
      { ...pod, spec: { containers: [{ name: 'web' }], x: JSON.parse('['.repeat(200) + ']'.repeat(200)) } },
      'the Pod is too large: spec is nested more than 100 levels deep',
    ],
    [
      'containers',
      { ...pod, spec: { containers: Array.from({ length: 2001 }, (_, at) => ({ name: `c${at}` })) } },
      'the Pod is too large: it has more than 2000 containers',
    ],
  ])('is denied with oversized: deny: %s', (_, object, reason) => {
    expect(denied(object)).toEqual({
      allowed: false,
      injector: 'house',
      reason: `${reason}; injector "house" matches it, and the configuration has "oversized: deny"`,
      trace: [expect.objectContaining({ injector: 'house', decision: 'denied' })],
    });
  });

  test('of another kind is denied, too', () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { x: args } };
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
    const match: Match = { kinds: ['Deployment'], operations: ['UPDATE'] };
    expect(denied(deployment, match, { kind, operation: 'UPDATE' })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining(`the object is too large: ${SIZE}`),
    });
    expect(denied(deployment, match, { kind })).toMatchObject({ allowed: true });
  });

  test.each<[string, Match]>([
    ['namespaces', { namespaces: ['other'] }],
    ['labels', { objectSelector: { matchLabels: { a: 'b' } } }],
    ['kinds', { kinds: ['Service'] }],
    ['conditions', { conditions: compiled("object.metadata.name == 'other'") }],
    ['namespaceSelector', { namespaceSelector: { matchLabels: { a: 'b' } } }],
  ])('is allowed if no injector matches it: %s', (_, match) => {
    expect(denied(large, match)).toMatchObject({ allowed: true });
  });

  test('is denied by the labels of its namespace, which are read first', () => {
    const match = { namespaceSelector: { matchLabels: { team: 'a' } } };
    const pipeline = createPipeline([{ name: 'house', injector, match }], [], 'deny');
    const selection = selectStages(pipeline, request, large, view);
    expect(missingNeeds(selection, request, large, view)).toMatchObject([{ name: 'shop' }]);
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', labels: { team: 'a' } },
    };
    expect(denied(large, match, {}, filesView([namespace]))).toMatchObject({ allowed: false });
  });

  test('is denied if a condition fails', () => {
    expect(denied(large, { conditions: compiled(FAILS) })).toMatchObject({ allowed: false });
    const holds = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(denied(large, { conditions: [{ expression: 'x', holds }] })).toMatchObject({ allowed: false });
  });

  test.each<[string, KubeObject, object]>([
    ['excluded namespaces', large, { namespace: 'kube-system' }],
    ['updates of Pods', large, { operation: 'UPDATE' }],
    ['subresources', large, { subResource: 'status' }],
    ['mirror Pods', { ...large, metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }, {}],
    [
      'annotations that the API server rejects',
      { ...pod, metadata: { annotations: { a: 'x'.repeat(262_144) } } },
      {},
    ],
    ['shapes that the API server rejects', { ...pod, spec: { containers: [] } }, {}],
  ])('is not denied, as before: %s', (_, object, change) => {
    expect(denied(object, {}, change)).toMatchObject({ allowed: true, trace: [{ decision: 'unmatched' }] });
  });
});
