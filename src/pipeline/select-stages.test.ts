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
