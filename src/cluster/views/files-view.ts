import type { KubeObject } from '../../kube/kube-object.ts';
import { groupOf } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { ObjectStore } from './object-store.ts';
import { type StoreOfKind, storeView } from './store-view.ts';

/** A cluster view over objects from files, as if a cluster held them. A later object replaces an earlier one. */
export function filesView(objects: readonly KubeObject[]): ClusterView {
  const stores = new Map<string, StoreOfKind>();
  for (const object of objects) {
    const { kind } = object;
    const group = groupOf(object.apiVersion);
    const key = `${kind}.${group}`;
    const ofKind = stores.get(key) ?? { ref: { kind, group }, store: new ObjectStore() };
    ofKind.store.put(object);
    stores.set(key, ofKind);
  }
  return storeView([...stores.values()]);
}
