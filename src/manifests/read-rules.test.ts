import { expect, it } from 'vitest';
import { istio } from '../injectors/istio/istio.ts';
import { podIdentity } from '../injectors/pod-identity/pod-identity.ts';
import { builtin, type ReadRef } from '../kube/resource.ts';
import { createPipeline, type Entry } from '../pipeline/pipeline.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import { type ReadRule, readRules } from './read-rules.ts';

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

const entry = (name: string, injector: AnyInjector, raw: object): Entry => ({
  name,
  injector,
  config: injector.config?.(raw),
});
const own = (name: string, ...reads: ReadRef[]): Entry => ({
  name,
  injector: { name, summary: '', match: {}, reads: () => reads, inject: () => ({ skip: '' }) },
});

it('gives no right to ConfigMaps where none is read', () => {
  expect(rules(entry('aws', podIdentity, {}))).toEqual({
    everywhere: ['namespaces * for podgraft', 'serviceaccounts * for aws'],
  });
});

it('limits what is read by name to that name in that namespace, in one rule a kind', () => {
  const aws = entry('aws', podIdentity, { watchConfigMap: true, namespace: 'mesh-system' });
  const mesh = entry('mesh', istio, {
    revision: 'canary',
    namespace: 'mesh-system',
    sharedMeshConfig: 'shared',
    nativeSidecars: true,
  });
  const elsewhere = entry('other', podIdentity, { watchConfigMap: true });
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

it('asks for Nodes only where their versions decide', () => {
  expect(rules(entry('mesh', istio, {})).everywhere).toContain('nodes * for mesh');
  expect(rules(entry('mesh', istio, { nativeSidecars: false })).everywhere.join()).not.toContain('nodes');
});

it('has one right for all where somebody reads all, and names the others', () => {
  const aws = entry('aws', podIdentity, { watchConfigMap: true });
  expect(rules(aws, own('mine', MAP))).toEqual({
    everywhere: ['namespaces * for podgraft', 'serviceaccounts * for aws', 'configmaps * for aws,mine'],
  });
});

it('knows a name in any namespace, and any name in a namespace', () => {
  const mine = own('mine', { ...MAP, name: 'one' }, { ...MAP, name: 'two' }, { ...MAP, namespace: 'shop' });
  expect(rules(mine)).toEqual({
    everywhere: ['namespaces * for podgraft', 'configmaps one+two for mine'],
    shop: ['configmaps * for mine'],
  });
});
