import { describe, expect, test } from 'vitest';
import { matchesSelector } from '../../kube/label-selector.ts';
import { type SelectionOptions, webhookSelectors } from './webhook-selectors.ts';

type Labels = Readonly<Record<string, string>>;

/** Names of the webhooks that would send such a Pod. */
function senders(options: SelectionOptions, namespace: Labels, pod: Labels = {}): string[] {
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
    ['a Pod there that does not want it', main, enabled, inject('false'), []],
    ['a Pod of a plain namespace that asks', main, {}, inject('true'), ['object']],
    ['a Pod of a plain namespace that does not', main, {}, {}, []],
    ['a namespace that disables injection', main, { 'istio-injection': 'disabled' }, inject('true'), []],
    [
      'a namespace of the default revision',
      main,
      { 'istio.io/rev': 'default' },
      {},
      ['rev-namespace-default'],
    ],
    ['a namespace of the revision', canary, { 'istio.io/rev': 'canary' }, {}, ['rev-namespace-canary']],
    ['a namespace of its tag', canary, { 'istio.io/rev': 'prod' }, {}, ['rev-namespace-prod']],
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
      'the same, at the revision with the default tag',
      { revision: 'c', tags: ['default'] },
      enabled,
      {},
      ['namespace'],
    ],
    ['both labels on the namespace', main, { ...enabled, 'istio.io/rev': 'canary' }, {}, ['namespace']],
  ])('knows %s', (_, options, namespace, pod, expected) => {
    expect(senders(options, namespace, pod)).toEqual(expected);
  });

  test('takes plain namespaces where they are enabled by default, but never the system', () => {
    const auto = { ...main, enableNamespacesByDefault: true };
    expect(senders(auto, { 'kubernetes.io/metadata.name': 'shop' })).toEqual(['auto']);
    expect(senders(auto, { 'kubernetes.io/metadata.name': 'kube-system' })).toEqual([]);
  });

  test('has no name by which istiod would take a webhook for its own', () => {
    expect(webhookSelectors(main).some(({ name }) => name.includes('sidecar-injector.istio.io'))).toBe(false);
  });
});
