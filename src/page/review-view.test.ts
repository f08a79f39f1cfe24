import { expect, test } from 'vitest';
import type { RecordedDecision } from './decision.ts';
import { traceText } from './decision.ts';
import { NO_MASK } from './mask.ts';
import { reviewView } from './review-view.ts';

const stages = [{ name: 'own', injector: { name: 'overlay', summary: 'sets things' } }];
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', image: 'nginx', env: [{ name: 'TOKEN', value: 'hunter2' }] }] },
};

function decision(change: Partial<RecordedDecision>): RecordedDecision {
  return {
    item: {
      uid: 'u',
      time: '',
      operation: 'CREATE',
      kind: 'Pod',
      namespace: 'a',
      name: 'web',
      user: 'jane',
      dryRun: false,
      milliseconds: 1,
      verdict: 'changed',
      injectors: [],
    },
    endpoint: '/mutate',
    review: JSON.stringify({ request: { uid: 'u', object } }),
    answer: JSON.stringify({ response: { uid: 'u', allowed: true, patch: 'aHVudGVyMg==' } }),
    trace: '[]',
    stages,
    ...change,
  };
}

const replaced = traceText([
  {
    injector: 'own',
    round: 1,
    decision: 'grafted',
    patch: [{ op: 'replace', path: '/spec/containers/0/env/0/value', value: 'correct horse' }],
    kept: [],
  },
]);

test('a masked value that was replaced is still shown as replaced', () => {
  const view = reviewView(decision({ trace: replaced }));
  expect(view).toMatchObject({
    verdict: 'changed',
    changes: [
      { path: 'spec.containers[app].env[TOKEN].value', type: 'replaced', owner: 'own', before: '***' },
    ],
  });
  expect(JSON.stringify(view)).not.toMatch(/hunter2|correct horse|aHVudGVyMg/);
});

test('values that exclude each other are masked, and what was wanted instead is named', () => {
  const valueFrom = { fieldRef: { fieldPath: 'metadata.name' } };
  const env = '/spec/containers/0/env/0';
  const kept = [
    { path: `${env}/value`, found: 'hunter2', wanted: valueFrom, wantedField: 'valueFrom' },
    { path: `${env}/valueFrom`, found: valueFrom, wanted: 'correct horse', wantedField: 'value' },
  ];
  const trace = traceText([{ injector: 'own', round: 1, decision: 'grafted', patch: [], kept }]);
  const view = reviewView(decision({ trace }));
  const path = 'spec.containers[app].env[TOKEN]';
  expect(view.kept).toEqual([
    { path: `${path}.value`, owner: 'own', found: '***', wanted: valueFrom, wantedField: 'valueFrom' },
    { path: `${path}.valueFrom`, owner: 'own', found: valueFrom, wanted: '***', wantedField: 'value' },
  ]);
});

test('without a mask the values are shown', () => {
  const view = reviewView(decision({ trace: replaced }), NO_MASK);
  expect(view.after).toContain('value: correct horse');
});

test('a denial names the injector', () => {
  const status = { code: 403, reason: 'Forbidden', message: 'no' };
  const view = reviewView(
    decision({
      answer: JSON.stringify({ response: { uid: 'u', allowed: false, status } }),
      trace: traceText([{ injector: 'own', round: 1, decision: 'denied', reason: 'no' }]),
    }),
  );
  expect(view).toMatchObject({
    verdict: 'denied',
    denial: { ...status, by: 'own' },
    injectors: [{ name: 'own', outcome: 'denied', reason: 'no' }],
  });
  expect(view.stops.at(-1)).toMatchObject({ outcome: 'denied', detail: 'no' });
});

test('an injector that threw is a failure', () => {
  const { answer: _, ...failed } = decision({ failure: { message: 'boom', injector: 'own' } });
  const view = reviewView(failed);
  expect(view).toMatchObject({
    verdict: 'failed',
    denial: { code: 500, message: 'boom', by: 'own' },
    injectors: [{ outcome: 'failed', reason: 'boom' }],
  });
});

test('a deletion shows the object that is deleted', () => {
  const review = JSON.stringify({ request: { uid: 'u', object: null, oldObject: object } });
  const view = reviewView(decision({ review }));
  expect(view.before).toContain('name: web');
  expect(view.after).toBe(view.before);
});
