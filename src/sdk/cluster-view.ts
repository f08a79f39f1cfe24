import type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';

/**
 * Other objects of the cluster, read-only and without waiting. It holds only what the injector declares in `reads`.
 *
 * Kinds are identified by group and kind, not by version. For cluster-scoped kinds the namespace is ignored. As long as an object does
 * not change, `get` and `list` return the identical object, so a cache may be keyed by it.
 * `list` sorts by namespace, then by name; without a namespace it lists all of them.
 */
export interface ClusterView {
  get(ref: ResourceRef, namespace: string | undefined, name: string): KubeObject | undefined;
  list(ref: ResourceRef, namespace?: string, selector?: DeepReadonly<LabelSelector>): readonly KubeObject[];
}
