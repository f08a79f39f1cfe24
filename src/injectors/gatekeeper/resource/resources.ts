import type { ResourceRef } from '../../../sdk/index.ts';

export type MutatorKind = 'Assign' | 'AssignImage' | 'AssignMetadata' | 'ModifySet';

export const MUTATIONS_GROUP = 'mutations.gatekeeper.sh';

/** In the order in which mutators run: by kind, then by name. AssignImage exists as v1alpha1 only. */
export const MUTATORS: { readonly [K in MutatorKind]: ResourceRef & { readonly kind: K } } = {
  Assign: mutator('Assign', 'v1', 'assign'),
  AssignImage: mutator('AssignImage', 'v1alpha1', 'assignimage'),
  AssignMetadata: mutator('AssignMetadata', 'v1', 'assignmetadata'),
  ModifySet: mutator('ModifySet', 'v1', 'modifyset'),
};

export const MUTATOR_KINDS = Object.keys(MUTATORS) as readonly MutatorKind[];

export const PROVIDER: ResourceRef = {
  group: 'externaldata.gatekeeper.sh',
  version: 'v1beta1',
  kind: 'Provider',
  resource: 'providers',
  namespaced: false,
};

function mutator<K extends MutatorKind>(kind: K, version: string, resource: string) {
  return { group: MUTATIONS_GROUP, version, kind, resource, namespaced: false };
}
