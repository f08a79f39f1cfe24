import { labelsOf, type StringMap } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Request } from '../sdk/request.ts';

export const NAMESPACE = builtin('Namespace');

/** The labels of the request's namespace. One that the view does not know has the label that every namespace has. */
export function namespaceLabelsOf(request: Request, cluster: ClusterView): StringMap {
  // On CREATE and UPDATE of a Namespace its own new labels count, as they do for the API server.
  const own = request.kind.kind === 'Namespace' && request.kind.group === '' ? request.object : undefined;
  const namespace = own ?? cluster.get(NAMESPACE, undefined, request.namespace);
  const implied = { 'kubernetes.io/metadata.name': request.namespace };
  return namespace === undefined ? implied : { ...implied, ...labelsOf(namespace) };
}
