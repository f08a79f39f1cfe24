import type { KubeObject } from '../../kube/kube-object.ts';
import { groupOf } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { ObjectStore } from './object-store.ts';
import { storeView } from './store-view.ts';

/** A cluster view over objects from files, as if a cluster held them. A later object replaces an earlier one. */
export function filesView(objects: readonly KubeObject[]): ClusterView {
  const stores = new Map<string, [ObjectStore]>();
  for (const object of objects) {
    const key = `${object.kind}.${groupOf(object.apiVersion)}`;
    const [store] = stores.get(key) ?? [new ObjectStore()];
    store.put(object);
    stores.set(key, [store]);
  }
  return storeView(stores);
}
