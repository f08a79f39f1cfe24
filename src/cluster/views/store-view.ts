import { type KubeObject, labelsOf } from '../../kube/kube-object.ts';
import { matchesSelector } from '../../kube/label-selector.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { kindKey } from '../../sdk/reads.ts';
import { ObjectStore } from './object-store.ts';

/** A cluster view over stores by `kindKey`. If several stores of a kind hold the same object, the first of them counts. */
export function storeView(stores: ReadonlyMap<string, readonly ObjectStore[]>): ClusterView {
  return {
    get(ref, namespace, name) {
      for (const store of stores.get(kindKey(ref)) ?? NO_STORES) {
        const object = store.get(ref.namespaced ? (namespace ?? '') : '', name);
        if (object !== undefined) return object;
      }
      return undefined;
    },
    list(ref, namespace, selector) {
      const objects = mergedList(
        stores.get(kindKey(ref)) ?? NO_STORES,
        ref.namespaced ? namespace : undefined,
      );
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
