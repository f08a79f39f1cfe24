import { expect, test } from 'vitest';
import { builtin } from '../../kube/resource.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import type { AnyInjector, DeclaredOverlay } from '../../sdk/injector.ts';
import { sourceOf } from './policy-source.ts';

const injector: AnyInjector = { name: 'house', summary: '', match: {}, inject: () => ({ skip: 'none' }) };

function sourceFor(declared: DeclaredOverlay | undefined) {
  const own = declared === undefined ? injector : { ...injector, asOverlay: () => declared };
  const [stage] = createPipeline([{ name: 'labels', injector: own }]).stages;
  return stage && sourceOf(stage);
}

test('any injector that is an overlay can be made into policies', () => {
  const overlay = { metadata: { labels: { team: 'a' } } };
  const source = { injector: 'labels', overlay, variables: {}, conditions: [] };
  expect(sourceFor({ overlay })).toEqual(source);
  const ref = builtin('ConfigMap');
  expect(sourceFor({ overlay, params: { ref, name: 'settings', namespace: 'house' } })).toEqual({
    ...source,
    params: { ref, place: { name: 'settings', namespace: 'house' } },
  });
});

test('an injector that is more than an overlay cannot', () => {
  expect(sourceFor(undefined)).toBeUndefined();
});
