import { expect, it } from 'vitest';
import { createPipeline } from '../pipeline/pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { defineInjector, type Validation } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { answerReview, type FinalCheck } from './answer-review.ts';

const cluster = { get: () => undefined, list: () => [] };

function check(validation: Validation | undefined, finalCheck?: FinalCheck, adds = {}, match: Match = {}) {
  const injector = defineInjector({
    name: 'judge',
    summary: '',
    match,
    inject: () => ({ overlay: adds }),
    validate: () => validation,
  });
  const pipeline = createPipeline([{ name: 'judge', injector }]);
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      namespace: 'shop',
      userInfo: { username: 'ann' },
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'app', image: 'app:1' }] },
      },
    },
  };
  const body = Buffer.from(JSON.stringify(review));
  const answer = answerReview(body, { pipeline, cluster, ...(finalCheck && { finalCheck }) });
  if (answer instanceof Promise) throw new Error('it waited');
  return JSON.parse(answer.body).response;
}

it('rejects what an injector rejects, even if the final check only warns', () => {
  for (const mode of ['deny', 'warn'] as const) {
    expect(check({ summary: '', deny: 'no owner', audit: { failure: 'x' } }, mode)).toMatchObject({
      allowed: false,
      status: { code: 403, message: 'no owner' },
      auditAnnotations: { decisions: 'judge=grafted,judge=denied', failure: 'x' },
    });
  }
});

it('denies an object for which a condition fails, on every path', () => {
  const condition = {
    expression: 'object.spec.priority > 1',
    holds: () => new PodgraftError('EXPRESSION_FAILED', 'no such key: priority'),
  };
  for (const mode of [undefined, 'deny', 'warn'] as const) {
    expect(check({ summary: '' }, mode, {}, { conditions: [condition] })).toMatchObject({
      allowed: false,
      status: { code: 403, message: 'Injector "judge" failed: no such key: priority' },
    });
  }
});

it('passes on warnings and audit annotations', () => {
  expect(check({ summary: '', warnings: ['old image'], audit: { failure: 'x' } }, 'deny')).toEqual({
    uid: 'u',
    allowed: true,
    warnings: ['old image'],
    auditAnnotations: { failure: 'x' },
  });
});

it('warns of both if injection is incomplete', () => {
  const adds = { metadata: { labels: { a: 'b' } } };
  expect(check({ summary: '', warnings: ['old image'] }, 'warn', adds)).toMatchObject({
    allowed: true,
    warnings: [expect.stringContaining('injection is incomplete'), 'old image'],
  });
});

it('does not judge before the object is final', () => {
  expect(check({ summary: '', deny: 'no owner' })).toMatchObject({ allowed: true });
});

it('adds no warning if the injector has none', () => {
  expect(check(undefined, 'deny')).toEqual({ uid: 'u', allowed: true });
});
