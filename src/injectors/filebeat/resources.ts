import type { ResourceRequirements } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
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
  readonly requests: AllAmounts;
  readonly limits: AllAmounts;
  readonly warnings: readonly string[];
  /** What the annotations ask for and cannot have. */
  readonly misfits: readonly Misfit[];
}

/**
 * Requests and limits that go together, since the API server refuses a limit below its request: a default gives way to
 * what an annotation says, and both give way to what the container itself says already.
 */
export function fitResources(
  said: SaidResources,
  defaults: { readonly requests: AllAmounts; readonly limits: AllAmounts },
  found: DeepReadonly<ResourceRequirements> | undefined,
): FittedResources {
  const requests = { ...defaults.requests };
  const limits = { ...defaults.limits };
  const warnings: string[] = [];
  const misfits: Misfit[] = [];
  for (const resource of RESOURCES) {
    let request = said.requests[resource] ?? defaults.requests[resource];
    let limit = said.limits[resource] ?? defaults.limits[resource];
    const [foundRequest, foundLimit] = [found?.requests?.[resource], found?.limits?.[resource]];
    if (isLess(limit, request)) {
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
    requests[resource] = isLess(foundLimit, request) ? String(foundLimit) : request;
    limits[resource] = isLess(limit, foundRequest) ? String(foundRequest) : limit;
  }
  return { requests, limits, warnings, misfits };
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
