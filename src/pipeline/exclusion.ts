import { annotationsOf, type KubeObject } from '../kube/kube-object.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';

/** Written by the kubelet on the API's image of a static pod, which cannot be changed there. */
const MIRROR = 'kubernetes.io/config.mirror';

/** Why no injector at all may touch this object; undefined when they may. */
export function exclusion(pipeline: Pipeline, request: Request, object: KubeObject): string | undefined {
  const { kind, operation, namespace, subResource } = request;
  if (pipeline.excludedNamespaces.has(namespace)) return `namespace "${namespace}" is excluded`;
  // TokenReview, SubjectAccessReview and their kin: answering them must never depend on us.
  if (kind.group === 'authentication.k8s.io' || kind.group === 'authorization.k8s.io') {
    return `${kind.kind} is never touched`;
  }
  if (subResource !== '') return `subresource "${subResource}" is never touched`;
  if (operation === 'DELETE' || operation === 'CONNECT') return `nothing to inject on ${operation}`;
  if (kind.kind !== 'Pod' || kind.group !== '') return undefined;
  if (operation !== 'CREATE') return 'a Pod is injected on CREATE only';
  return Object.hasOwn(annotationsOf(object), MIRROR) ? 'a mirror pod is never touched' : undefined;
}
