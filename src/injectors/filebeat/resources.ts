import type { Pod, ResourceRequirements } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { sharesResource } from '../../kube/pod-resources.ts';
import { isLess } from '../../kube/quantity.ts';

export const RESOURCES = ['cpu', 'memory'] as const;

/** What the annotations say; the rest is left to the defaults. */
export interface SaidResources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

type AllAmounts = { readonly [Resource in (typeof RESOURCES)[number]]: string };
type Amounts = { readonly [Resource in (typeof RESOURCES)[number]]?: string | undefined };

export interface Misfit {
  readonly resource: (typeof RESOURCES)[number];
  readonly request: string;
  readonly limit: string;
}

export interface FittedResources {
  /** Undefined where there are none. */
  readonly requests: Amounts | undefined;
  readonly limits: Amounts | undefined;
  readonly warnings: readonly string[];
  /** What the annotations ask for and cannot have. */
  readonly misfits: readonly Misfit[];
}

/**
 * Requests and limits that go together, since the API server refuses a limit below its request: a default gives way to
 * what an annotation says, and both give way to what the container itself says already. Of what the Pod shares among its
 * containers, nothing is asked for by default.
 */
export function fitResources(
  said: SaidResources,
  defaults: { readonly requests: AllAmounts; readonly limits: AllAmounts },
  found: DeepReadonly<ResourceRequirements> | undefined,
  pod?: DeepReadonly<Pod>,
): FittedResources {
  const requests: Writable<Amounts> = {};
  const limits: Writable<Amounts> = {};
  const warnings: string[] = [];
  const misfits: Misfit[] = [];
  for (const resource of RESOURCES) {
    const isShared = pod !== undefined && sharesResource(pod, resource);
    let request = said.requests[resource] ?? (isShared ? undefined : defaults.requests[resource]);
    let limit = said.limits[resource] ?? (isShared ? undefined : defaults.limits[resource]);
    const [foundRequest, foundLimit] = [found?.requests?.[resource], found?.limits?.[resource]];
    if (limit !== undefined && request !== undefined && isLess(limit, request)) {
      if (said.limits[resource] === undefined) {
        if (agrees(foundLimit, request)) warnings.push(raised(resource, limit, request));
        limit = request;
      } else if (said.requests[resource] === undefined) {
        if (agrees(foundRequest, limit)) warnings.push(lowered(resource, request, limit));
        request = limit;
      } else {
        misfits.push({ resource, request, limit });
      }
    }
    if (request !== undefined)
      requests[resource] = isLess(foundLimit, request) ? String(foundLimit) : request;
    if (limit !== undefined) limits[resource] = isLess(limit, foundRequest) ? String(foundRequest) : limit;
  }
  return { requests: orUndefined(requests), limits: orUndefined(limits), warnings, misfits };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function orUndefined(amounts: Amounts): Amounts | undefined {
  return RESOURCES.some((resource) => amounts[resource] !== undefined) ? amounts : undefined;
}

function agrees(found: string | number | undefined, wanted: string): boolean {
  return !isLess(found, wanted) && !isLess(wanted, found);
}

function raised(resource: string, limit: string, request: string): string {
  return `filebeat: the default ${resource} limit ${limit} is less than the request ${request} and is raised to it`;
}

function lowered(resource: string, request: string, limit: string): string {
  return `filebeat: the default ${resource} request ${request} is more than the limit ${limit} and is lowered to it`;
}
