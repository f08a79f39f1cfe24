import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { defineInjector } from '../sdk/injector.ts';
import { skip } from '../sdk/verdict.ts';
import { createPipeline } from './pipeline.ts';
import { requestFor } from './run-manifest.ts';
import { selectStages } from './select-stages.ts';
import { validateStages } from './validate-stages.ts';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
const judge = (name: string, validate: () => { summary: string; deny: string }) =>
  defineInjector({ name, summary: '', match: {}, inject: () => skip('nothing to inject'), validate });

function validated(onError: 'fail' | 'skip') {
  const broken = judge('broken', () => {
    throw new Error('out of luck');
  });
  const strict = judge('strict', () => ({ summary: 'judged', deny: 'no' }));
  const pipeline = createPipeline([
    { name: 'broken', injector: broken, onError },
    { name: 'strict', injector: strict },
  ]);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'me' });
  const cluster = filesView([]);
  return validateStages(selectStages(pipeline, request, pod, cluster), request, pod, cluster);
}

describe('an injector whose validate() throws', () => {
  test('fails the review, and is named', () => {
    expect(() => validated('fail')).toThrow('Injector "broken" failed: out of luck');
  });

  test('is skipped with onError: skip, with a warning, and the others still judge', () => {
    const { denial, warnings, trace } = validated('skip');
    expect(denial).toEqual({ reason: 'no', injector: 'strict' });
    expect(warnings).toEqual(['Injector "broken" failed: out of luck; it was skipped']);
    expect(trace.map(({ injector, decision }) => `${injector} ${decision}`)).toEqual([
      'broken failed',
      'strict denied',
    ]);
  });
});
