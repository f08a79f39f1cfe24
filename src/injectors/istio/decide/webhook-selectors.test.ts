import { describe, expect, test } from 'vitest';
import { matchesSelector } from '../../../sdk/index.ts';
import { type SelectionOptions, webhookSelectors } from './webhook-selectors.ts';

type Labels = Readonly<Record<string, string>>;

/** Names of the webhooks that select the Pod. */
function selecting(options: SelectionOptions, namespace: Labels, pod: Labels = {}): string[] {
  return webhookSelectors(options)
    .filter(
      (each) =>
        matchesSelector(each.namespaceSelector, namespace) && matchesSelector(each.objectSelector, pod),
    )
    .map(({ name }) => name);
}

const main = { revision: 'default' };
const canary = { revision: 'canary', tags: ['prod'] };
const enabled = { 'istio-injection': 'enabled' };
const inject = (value: string) => ({ 'sidecar.istio.io/inject': value });

describe('selection', () => {
  test.each<[string, SelectionOptions, Labels, Labels, string[]]>([
    ['a namespace that enables injection', main, enabled, {}, ['namespace']],
    ['a Pod there that opts out', main, enabled, inject('false'), []],
    ['a Pod of a namespace without labels that opts in', main, {}, inject('true'), ['object']],
    ['a Pod of a namespace without labels', main, {}, {}, []],
    ['a namespace that disables injection', main, { 'istio-injection': 'disabled' }, inject('true'), []],
    [
      'a namespace of the default revision',
      main,
      { 'istio.io/rev': 'default' },
      {},
      ['rev-namespace-default'],
    ],
    ['a namespace of the revision', canary, { 'istio.io/rev': 'canary' }, {}, ['rev-namespace-canary']],
    [
      'a namespace with a tag of the revision',
      canary,
      { 'istio.io/rev': 'prod' },
      {},
      ['rev-namespace-prod'],
    ],
    ['a Pod of the revision', canary, {}, { 'istio.io/rev': 'canary' }, ['rev-object-canary']],
    [
      'a Pod of the revision in a namespace of another',
      canary,
      { 'istio.io/rev': 'b' },
      { 'istio.io/rev': 'canary' },
      [],
    ],
    ['a namespace that enables injection, at a revision', canary, enabled, {}, []],
    [
      'a namespace that enables injection, at a revision with the default tag',
      { revision: 'c', tags: ['default'] },
      enabled,
      {},
      ['namespace'],
    ],
    ['both labels on the namespace', main, { ...enabled, 'istio.io/rev': 'canary' }, {}, ['namespace']],
  ])('selects %s by the right webhooks', (_, options, namespace, pod, expected) => {
    expect(selecting(options, namespace, pod)).toEqual(expected);
  });

  test('selects namespaces without labels if they are enabled by default, except system namespaces', () => {
    const auto = { ...main, enableNamespacesByDefault: true };
    expect(selecting(auto, { 'kubernetes.io/metadata.name': 'shop' })).toEqual(['auto']);
    expect(selecting(auto, { 'kubernetes.io/metadata.name': 'kube-system' })).toEqual([]);
  });

  test('has no name that istiod would consider its own', () => {
    expect(webhookSelectors(main).some(({ name }) => name.includes('sidecar-injector.istio.io'))).toBe(false);
  });
});
