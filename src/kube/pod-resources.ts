import type { Pod, ResourceRequirements } from './generated/types.ts';
import type { DeepReadonly } from './kube-object.ts';

/**
 * Whether a Pod has an amount of its own of a resource, which its containers share (KEP-2837). The API server refuses the Pod where
 * their requests are more than that, and what the user leaves open there it fills with just their sum: whoever adds a
 * container had better not ask for any.
 */
export function sharesResource({ spec }: DeepReadonly<Pod>, resource: string): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return requests?.[resource] !== undefined || limits?.[resource] !== undefined;
}

/** What a container that is added may ask for: nothing of what the Pod shares. */
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
