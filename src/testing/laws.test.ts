import { expect, it } from 'vitest';
import { filesView } from '../cluster/files-view.ts';
import { builtin, type ReadRef } from '../kube/resource.ts';
import { requestFor } from '../pipeline/run-manifest.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import { checkLaws } from './laws.ts';

const MAP = builtin('ConfigMap');
const settings = { ref: MAP, namespace: 'house', name: 'settings' };
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [] } };
const cluster = filesView([
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'house', name: 'settings' },
    data: { zone: 'eu' },
  },
]);

/** Stamps a Pod with what one ConfigMap says. */
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

it('are kept by an injector that declares what it looks at', () => {
  expect(check([MAP])).not.toThrow();
  expect(check([{ ...MAP, namespace: 'house', name: 'settings', fields: ['data.zone'] }])).not.toThrow();
});

it.each<[string, ReadRef[]]>([
  ['nothing', []],
  ['another name', [{ ...MAP, namespace: 'house', name: 'other' }]],
  ['another namespace', [{ ...MAP, namespace: 'shop' }]],
  ['another field', [{ ...MAP, fields: ['binaryData'] }]],
])('are broken by one that declares %s', (_, reads) => {
  expect(check(reads)).toThrow('what it declares in "reads" is enough');
});

it('are broken by one that needs what it does not declare', () => {
  const unread: Partial<AnyInjector> = { needs: () => [settings], inject: () => ({ skip: 'none' }) };
  expect(check([], unread)).toThrow('it declares in "reads" what it needs, but not ConfigMap "settings"');
});
