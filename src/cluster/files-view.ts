import type { KubeObject } from '../kube/kube-object.ts';
import { labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { groupOf, type ResourceRef } from '../kube/resource.ts';
import { kindKey } from '../kube/scope.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';

/** A cluster view over objects read from files: what a live cluster would hold. A later object replaces an earlier one. */
export function filesView(objects: readonly KubeObject[]): ClusterView {
  const byKind = new Map<string, Map<string, KubeObject>>();
  for (const object of objects) {
    const kind = `${object.kind}.${groupOf(object.apiVersion)}`;
    const { namespace, name = '' } = object.metadata;
    const known = byKind.get(kind) ?? new Map<string, KubeObject>();
    byKind.set(kind, known.set(objectKey(namespace, name), object));
  }
  const ofKind = (ref: ResourceRef) => byKind.get(kindKey(ref));
  return {
    get: (ref, namespace, name) => ofKind(ref)?.get(objectKey(ref.namespaced ? namespace : undefined, name)),
    list: (ref, namespace, selector) =>
      [...(ofKind(ref)?.values() ?? [])].filter(
        (object) =>
          (namespace === undefined || (object.metadata.namespace ?? '') === namespace) &&
          (selector === undefined || matchesSelector(selector, labelsOf(object))),
      ),
  };
}

function objectKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
