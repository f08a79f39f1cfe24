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
  const kinds = new Map<string, Map<string, Stores>>();
  for (const { ref, store } of all) {
    const groups = kinds.get(ref.kind) ?? new Map<string, Stores>();
    kinds.set(ref.kind, groups.set(ref.group, groups.get(ref.group)?.with(store) ?? new Stores([store])));
  }
  const storesOf = ({ kind, group }: KindRef) => kinds.get(kind)?.get(group);
  return {
    get: (ref, namespace, name) => storesOf(ref)?.get(ref.namespaced ? (namespace ?? '') : '', name),
    list(ref, namespace, selector) {
      const objects = storesOf(ref)?.list(ref.namespaced ? namespace : undefined) ?? NO_OBJECTS;
      if (selector === undefined) return objects;
      return objects.filter((object) => matchesSelector(selector, labelsOf(object)));
    },
  };
}

const NO_OBJECTS: readonly KubeObject[] = [];

/** All stores of a kind. A list is the identical one until an object in it changes, so that caches can be keyed by it. */
class Stores {
  readonly #stores: readonly ObjectStore[];
  readonly #merged = new Map<string | undefined, Merged>();

  constructor(stores: readonly ObjectStore[]) {
    this.#stores = stores;
  }

  with(store: ObjectStore): Stores {
    return new Stores([...this.#stores, store]);
  }

  get(namespace: string, name: string): KubeObject | undefined {
    for (const store of this.#stores) {
      const object = store.get(namespace, name);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  list(namespace: string | undefined): readonly KubeObject[] {
    const [only] = this.#stores;
    if (only !== undefined && this.#stores.length === 1) return only.list(namespace);
    const lists = this.#stores.map((store) => store.list(namespace)).filter((list) => list.length > 0);
    const last = this.#merged.get(namespace);
    if (last !== undefined && areSame(last.lists, lists)) return last.list;
    this.#merged.delete(namespace);
    if (lists.length <= 1) return lists[0] ?? NO_OBJECTS;
    const list = merge(lists);
    this.#merged.set(namespace, { lists, list });
    return list;
  }
}

interface Merged {
  readonly lists: readonly (readonly KubeObject[])[];
  readonly list: readonly KubeObject[];
}

function areSame(lists: Merged['lists'], others: Merged['lists']): boolean {
  return lists.length === others.length && lists.every((list, index) => list === others[index]);
}

function merge(lists: Merged['lists']): readonly KubeObject[] {
  const merged = new ObjectStore();
  for (const object of lists.toReversed().flat()) merged.put(object);
  return merged.list();
}
