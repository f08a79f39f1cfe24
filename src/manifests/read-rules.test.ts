import { expect, it } from 'vitest';
import { loadCatalog } from '../injectors/catalog.ts';
import { builtin } from '../kube/resource.ts';
import { createPipeline, type Entry } from '../pipeline/pipeline.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { authorizerUsers, type ReadRule, readRules } from './read-rules.ts';

const catalog = await loadCatalog();
const MAP = builtin('ConfigMap');

function rules(...entries: Entry[]) {
  const { everywhere, inNamespaces } = readRules(createPipeline(entries));
  return {
    everywhere: everywhere.map(textOf),
    ...Object.fromEntries(inNamespaces.map((place) => [place.namespace, place.rules.map(textOf)])),
  };
}

function textOf({ apiGroups, resources, resourceNames = ['*'], verbs, readers }: ReadRule): string {
  expect(verbs).toEqual(['get', 'list', 'watch']);
  const kind = `${resources}${apiGroups[0] === '' ? '' : `.${apiGroups}`}`;
  return `${kind} ${resourceNames.join('+')} for ${readers.map((reader) => reader.split(' ')[0])}`;
}

function entry(name: string, use: string, raw: object): Entry {
  const injector = catalog.find((candidate) => candidate.name === use) as AnyInjector;
  return { name, injector, config: injector.config?.(raw) };
}
const own = (name: string, ...reads: ReadRef[]): Entry => ({
  name,
  injector: { name, summary: '', match: {}, reads: () => reads, inject: () => ({ skip: '' }) },
});

it('grants no access to ConfigMaps if no injector reads any', () => {
  expect(rules(entry('aws', 'pod-identity', {}))).toEqual({
    everywhere: ['namespaces * for podgraft', 'serviceaccounts * for aws'],
  });
});

it('limits reads by name to that name and namespace, in one rule per kind', () => {
  const aws = entry('aws', 'pod-identity', { watchConfigMap: true, namespace: 'mesh-system' });
  const mesh = entry('mesh', 'istio', {
    revision: 'canary',
    namespace: 'mesh-system',
    sharedMeshConfig: 'shared',
    nativeSidecars: true,
  });
  const elsewhere = entry('other', 'pod-identity', { watchConfigMap: true });
  expect(rules(aws, mesh, elsewhere)).toEqual({
    everywhere: [
      'namespaces * for podgraft,mesh',
      'serviceaccounts * for aws,other',
      'proxyconfigs.networking.istio.io * for mesh',
    ],
    'mesh-system': [
      'configmaps pod-identity-webhook+istio-sidecar-injector-canary+istio-canary+shared for aws,mesh',
    ],
    eks: ['configmaps pod-identity-webhook for other'],
  });
});

it('grants access to Nodes only if their versions matter', () => {
  expect(rules(entry('mesh', 'istio', {})).everywhere).toContain('nodes * for mesh');
  expect(rules(entry('mesh', 'istio', { nativeSidecars: false })).everywhere.join()).not.toContain('nodes');
});

it('merges narrow reads into a wide one and lists all readers', () => {
  const aws = entry('aws', 'pod-identity', { watchConfigMap: true });
  expect(rules(aws, own('mine', MAP))).toEqual({
    everywhere: ['namespaces * for podgraft', 'serviceaccounts * for aws', 'configmaps * for aws,mine'],
  });
});

it('names the injectors that ask the authorizer', () => {
  const quiet = entry('quiet', 'admission-policy', {});
  const asking = entry('asking', 'admission-policy', { authorizer: true });
  expect(authorizerUsers(createPipeline([quiet, asking]))).toEqual(['asking']);
});

it('supports a name in any namespace and any name in one namespace', () => {
  const mine = own('mine', { ...MAP, name: 'one' }, { ...MAP, name: 'two' }, { ...MAP, namespace: 'shop' });
  expect(rules(mine)).toEqual({
    everywhere: ['namespaces * for podgraft', 'configmaps one+two for mine'],
    shop: ['configmaps * for mine'],
  });
});
