import type { KubeObject } from '../kube/kube-object.ts';
import { labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { groupOf, type ResourceRef } from '../kube/resource.ts';
import { kindKey } from '../kube/scope.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';

/** A cluster view over objects read from files: what a live cluster would hold. A later object replaces an earlier one. */
export function filesView(objects: readonly KubeObject[]): ClusterView {
  const byKind = new Map<string, Map<string, Map<string, KubeObject>>>();
  for (const object of objects) {
    const kind = `${object.kind}.${groupOf(object.apiVersion)}`;
    const { namespace = '', name = '' } = object.metadata;
    const namespaces = byKind.get(kind) ?? new Map<string, Map<string, KubeObject>>();
    const names = namespaces.get(namespace) ?? new Map<string, KubeObject>();
    byKind.set(kind, namespaces.set(namespace, names.set(name, object)));
  }
  const ofKind = (ref: ResourceRef) => byKind.get(kindKey(ref));
  return {
    get(ref, namespace, name) {
      const names = ofKind(ref)?.get(ref.namespaced ? (namespace ?? '') : '');
      return names?.get(name);
    },
    list(ref, namespace, selector) {
      const namespaces = ofKind(ref);
      if (namespaces === undefined) return [];
      const found =
        namespace === undefined
          ? [...namespaces.values()]
          : [namespaces.get(namespace) ?? new Map<string, KubeObject>()];
      const objects = found.flatMap((names) => [...names.values()]);
      if (selector === undefined) return objects;
      return objects.filter((object) => matchesSelector(selector, labelsOf(object)));
    },
  };
}
