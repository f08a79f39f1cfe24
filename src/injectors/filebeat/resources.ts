import {
  type DeepReadonly,
  isLess,
  type Pod,
  type ResourceRequirements,
  sharesResource,
} from '../../sdk/index.ts';
import { RESOURCES, type Settings } from './settings.ts';

type Amounts = { [Resource in (typeof RESOURCES)[number]]?: string | undefined };

export type FittedResources = ReturnType<typeof fitResources>;

/**
 * Makes requests and limits consistent, because the API server rejects a limit below its request. Annotations override the
 * defaults, and amounts that the container already has override both. A resource with a Pod-level amount has no default.
 */
export function fitResources(
  annotated: DeepReadonly<{ requests: Amounts; limits: Amounts }>,
  { resources: defaults, annotationPrefix }: Settings,
  existing: DeepReadonly<ResourceRequirements> | undefined,
  pod: DeepReadonly<Pod>,
) {
  let requests: Amounts | undefined;
  let limits: Amounts | undefined;
  const warnings: string[] = [];
  /** Annotations that contradict each other. */
  const problems: string[] = [];
  for (const resource of RESOURCES) {
    const isShared = sharesResource(pod, resource);
    let request = annotated.requests[resource] ?? (isShared ? undefined : defaults.requests[resource]);
    let limit = annotated.limits[resource] ?? (isShared ? undefined : defaults.limits[resource]);
    const ownRequest = existing?.requests?.[resource];
    const ownLimit = existing?.limits?.[resource];
    if (isLess(limit, request)) {
      if (annotated.limits[resource] === undefined) {
        const raised = `filebeat: the default ${resource} limit ${limit} is less than the request: raised to ${request}`;
        if (!differs(ownLimit, request)) warnings.push(raised);
        limit = request;
      } else if (annotated.requests[resource] === undefined) {
        const lowered = `filebeat: the default ${resource} request ${request} is more than the limit: lowered to ${limit}`;
        if (!differs(ownRequest, limit)) warnings.push(lowered);
        request = limit;
      } else {
        const [limitKey, requestKey] = ['limits', 'requests'].map(
          (list) => `"${annotationPrefix}resources.${list}.${resource}"`,
        );
        problems.push(
          `annotation ${limitKey} is "${limit}", expected at least the "${request}" of ${requestKey}`,
        );
      }
    }
    if (request !== undefined) {
      requests ??= {};
      requests[resource] = isLess(ownLimit, request) ? String(ownLimit) : request;
    }
    if (limit !== undefined) {
      limits ??= {};
      limits[resource] = isLess(limit, ownRequest) ? String(ownRequest) : limit;
    }
  }
  return { requests, limits, warnings, problems };
}

/** False if the container does not set an amount itself. */
function differs(own: string | number | undefined, wanted: string | undefined): boolean {
  return isLess(own, wanted) || isLess(wanted, own);
}
