import { expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { builtin } from '../kube/resource.ts';
import { requestFor } from '../pipeline/run-manifest.ts';
import type { AnyInjector } from '../sdk/injector.ts';

import type { ReadRef } from '../sdk/reads.ts';
import { checkLaws } from './laws.ts';

const MAP = builtin('ConfigMap');
const settings = { ref: MAP, namespace: 'house', name: 'settings' };
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'web' }] },
};
const cluster = filesView([
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'house', name: 'settings' },
    data: { zone: 'eu' },
  },
]);

/** Stamps a Pod with the content of a ConfigMap. */
function check(reads: readonly ReadRef[], more: Partial<AnyInjector> = {}) {
  const injector: AnyInjector = {
    name: 'zone',
    summary: '',
    match: {},
    reads: () => reads,
    inject(_, context) {
      const data = context.cluster.get(MAP, 'house', 'settings')?.data as { zone: string } | undefined;
      return data === undefined ? { skip: 'none' } : { overlay: { metadata: { labels: data } } };
    },
    ...more,
  };
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  return () => checkLaws({ entry: { name: 'zone', injector }, request, object, cluster });
}

it('hold for an injector that declares its reads', () => {
  expect(check([MAP])).not.toThrow();
  expect(check([{ ...MAP, namespace: 'house', name: 'settings', fields: ['data.zone'] }])).not.toThrow();
});

it.each<[string, ReadRef[]]>([
  ['nothing', []],
  ['another name', [{ ...MAP, namespace: 'house', name: 'other' }]],
  ['another namespace', [{ ...MAP, namespace: 'shop' }]],
  ['another field', [{ ...MAP, fields: ['binaryData'] }]],
])('are broken by an injector that declares %s', (_, reads) => {
  expect(check(reads)).toThrow('what it declares in "reads" is enough');
});

it('are broken by an injector that needs an undeclared object', () => {
  const unread: Partial<AnyInjector> = { needs: () => [settings], inject: () => ({ skip: 'none' }) };
  expect(check([], unread)).toThrow('it declares in "reads" what it needs, but not ConfigMap "settings"');
});

it('are broken by an injector that changes its input', () => {
  const mutating: Partial<AnyInjector> = {
    inject(pod) {
      pod.metadata.labels = { zone: 'eu' };
      return { skip: 'done' };
    },
  };
  expect(check([], mutating)).toThrow('Injector "zone" failed: Cannot add property labels');
});

it('are broken by an injector that must not be called again', () => {
  const appending: Partial<AnyInjector> = {
    inject: ({ spec }) => ({
      overlay: { spec: { containers: [{ name: `extra-${spec.containers.length}` }] } },
    }),
  };
  expect(check([], appending)).toThrow('Injector "zone" does not settle');
});

it('are broken by an injector that remembers its calls', () => {
  let calls = 0;
  const counting: Partial<AnyInjector> = {
    inject: () =>
      calls++ === 0 ? { overlay: { metadata: { labels: { first: 'yes' } } } } : { skip: 'done' },
  };
  expect(check([], counting)).toThrow('it gives the same outcome for the same object');
});

it('are broken by an injector whose overlay is not what the server sends', () => {
  const imprecise: Partial<AnyInjector> = {
    inject: () => ({ overlay: { spec: { priority: Number.POSITIVE_INFINITY } } }),
  };
  expect(check([], imprecise)).toThrow('the patch, applied to the original, gives the object');
});

it('are broken by an injector that changes what it judges', () => {
  const mutating: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate(pod) {
      pod.metadata.labels = { zone: 'eu' };
      return undefined;
    },
  };
  expect(check([], mutating)).toThrow('Injector "zone" failed: Cannot add property labels');
});

it('are broken by an injector that judges once only', () => {
  let calls = 0;
  const counting: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate: () => (calls++ === 0 ? { summary: 'rejected', deny: 'the first is rejected' } : undefined),
  };
  expect(check([], counting)).toThrow('it judges the same object the same way');
});

it('hold for an injector that always rejects the final object', () => {
  const strict: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate: () => ({ summary: 'rejected', deny: 'no owner' }),
  };
  expect(check([], strict)).not.toThrow();
});

it('hold for what the server sees, which is parsed from bytes', () => {
  const bytesOnly: Partial<AnyInjector> = {
    inject(pod) {
      if (Object.hasOwn(pod.metadata, 'labels')) throw new Error('the object was never encoded');
      return { skip: 'none' };
    },
  };
  const injector: AnyInjector = {
    name: 'zone',
    summary: '',
    match: {},
    inject: () => ({ skip: '' }),
    ...bytesOnly,
  };
  const unset = { ...object, metadata: { name: 'a', labels: undefined } };
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  expect(() =>
    checkLaws({ entry: { name: 'zone', injector }, request, object: unset as never, cluster }),
  ).not.toThrow();
});
