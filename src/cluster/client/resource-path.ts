import { apiVersionOf, type ObjectRef, type ResourceRef } from '../../kube/resource.ts';

/** `/apis/apps/v1/namespaces/web/deployments`; over all namespaces where none is given. */
export function collectionPath(ref: ResourceRef, namespace?: string): string {
  const root = ref.group === '' ? 'api' : 'apis';
  const scope =
    ref.namespaced && namespace !== undefined ? `namespaces/${encodeURIComponent(namespace)}/` : '';
  return `/${root}/${apiVersionOf(ref)}/${scope}${ref.resource}`;
}

export function objectPath({ ref, namespace, name }: ObjectRef): string {
  return `${collectionPath(ref, namespace)}/${encodeURIComponent(name)}`;
}
