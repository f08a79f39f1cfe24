import type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';

/** Other objects of the cluster, read-only and without waiting. Only what the injector declares in `reads` is there. */
export interface ClusterView {
  get(ref: ResourceRef, namespace: string | undefined, name: string): KubeObject | undefined;
  list(ref: ResourceRef, namespace?: string, selector?: DeepReadonly<LabelSelector>): readonly KubeObject[];
}
