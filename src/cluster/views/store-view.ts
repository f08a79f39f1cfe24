import { type KubeObject, labelsOf } from '../../kube/kube-object.ts';
import { matchesSelector } from '../../kube/label-selector.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { ObjectStore } from './object-store.ts';

export interface StoreOfKind {
  readonly ref: KindRef;
  readonly store: ObjectStore;
}

type KindRef = Pick<ResourceRef, 'kind' | 'group'>;

/** A cluster view over stores. If several stores of a kind hold the same object, the first of them counts. */
export function storeView(all: readonly StoreOfKind[]): ClusterView {
  // By kind, then by group: injectors look up objects in every review, and building a joined key each time would cost more.
  const kinds = new Map<string, Map<string, ObjectStore[]>>();
  for (const { ref, store } of all) {
    const groups = kinds.get(ref.kind) ?? new Map<string, ObjectStore[]>();
    kinds.set(ref.kind, groups.set(ref.group, [...(groups.get(ref.group) ?? []), store]));
  }
  const storesOf = ({ kind, group }: KindRef) => kinds.get(kind)?.get(group) ?? NO_STORES;
  return {
    get(ref, namespace, name) {
      for (const store of storesOf(ref)) {
        const object = store.get(ref.namespaced ? (namespace ?? '') : '', name);
        if (object !== undefined) return object;
      }
      return undefined;
    },
    list(ref, namespace, selector) {
      const objects = mergedList(storesOf(ref), ref.namespaced ? namespace : undefined);
      if (selector === undefined) return objects;
      return objects.filter((object) => matchesSelector(selector, labelsOf(object)));
    },
  };
}

const NO_STORES: readonly ObjectStore[] = [];

function mergedList(stores: readonly ObjectStore[], namespace: string | undefined): readonly KubeObject[] {
  const [only] = stores;
  if (only !== undefined && stores.length === 1) return only.list(namespace);
  const lists = stores.map((store) => store.list(namespace)).filter((list) => list.length > 0);
  if (lists.length <= 1) return lists[0] ?? [];
  const merged = new ObjectStore();
  for (const object of lists.toReversed().flat()) merged.put(object);
  return merged.list();
}
