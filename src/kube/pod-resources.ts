import type { Pod, ResourceRequirements } from './generated/types.ts';
import type { DeepReadonly } from './kube-object.ts';

/**
 * Whether a Pod sets a resource at the level of the Pod, for all its containers (KEP-2837). The API server rejects the Pod if its
 * containers request more than that, and fills an open request with just their sum. An added container should request none.
 */
export function sharesResource({ spec }: DeepReadonly<Pod>, resource: string): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return requests?.[resource] !== undefined || limits?.[resource] !== undefined;
}

/** The resources of an added container, without those that the Pod sets itself. */
export function withoutShared(
  resources: DeepReadonly<ResourceRequirements>,
  pod: DeepReadonly<Pod>,
): DeepReadonly<ResourceRequirements> {
  if (pod.spec?.resources === undefined) return resources;
  const { requests, limits, ...rest } = resources;
  const unshared = (amounts: Amounts): Amounts =>
    Object.fromEntries(Object.entries(amounts).filter(([resource]) => !sharesResource(pod, resource)));
  return {
    ...rest,
    ...(requests && { requests: unshared(requests) }),
    ...(limits && { limits: unshared(limits) }),
  };
}

type Amounts = NonNullable<DeepReadonly<ResourceRequirements>['requests']>;
