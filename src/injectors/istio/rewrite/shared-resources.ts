import { exceeds, isLess, type JsonObject } from '../../../sdk/index.ts';
import { asObject, containersOf } from '../pod-json.ts';

/** Annotations that set the resources of the proxy. */
const ANNOTATIONS: Readonly<Record<string, { readonly request: string; readonly limit: string }>> = {
  cpu: { request: 'sidecar.istio.io/proxyCPU', limit: 'sidecar.istio.io/proxyCPULimit' },
  memory: { request: 'sidecar.istio.io/proxyMemory', limit: 'sidecar.istio.io/proxyMemoryLimit' },
};

/**
 * Warns if the containers exceed the Pod's own resources (KEP-2837), which the API server rejects: all requests together, or
 * one limit, except for those of init containers. Templates do not consider them, and the proxy's resources are not changed here:
 * its number of threads follows from its limit.
 */
export function sharedResourceWarnings(pod: JsonObject): readonly string[] {
  const own = asObject(asObject(pod.spec).resources);
  if (Object.keys(own).length === 0) return [];
  const [requests, limits] = [asObject(own.requests), asObject(own.limits)];
  const containers = containersOf(pod, 'containers');
  if (containers.length + containersOf(pod, 'initContainers').length > MOST_CONTAINERS) return [];
  return [
    ...sharedIn(requests)
      .filter((resource) =>
        simultaneousRequests(pod, resource).some((each) => exceeds(each, amount(requests, resource))),
      )
      .map((resource) => warning('request', resource, 'with the proxy its containers request more')),
    ...sharedIn(limits).flatMap((resource) =>
      containers
        .filter((container) => isLess(amount(limits, resource), amountOf(container, 'limits', resource)))
        .map(({ name }) => warning('limit', resource, `container "${String(name)}" has a higher one`)),
    ),
  ];
}

/** Init containers are compared with each other, and hundreds of warnings help nobody. */
const MOST_CONTAINERS = 100;

/** The resources that a Pod can have itself; the API server rejects others. */
function sharedIn(amounts: JsonObject): readonly string[] {
  return Object.keys(amounts).filter((name) => /^(cpu|memory|hugepages-\d+[KMGT]i)$/.test(name));
}

function warning(kind: 'request' | 'limit', resource: string, reason: string): string {
  const annotation = ANNOTATIONS[resource]?.[kind];
  const remedy = annotation === undefined ? '' : `; annotation "${annotation}" sets the proxy's`;
  return `spec.resources has a ${resource} ${kind}, and ${reason}: the API server rejects such a Pod${remedy}`;
}

/**
 * The requests of containers that run at the same time: each init container runs with the sidecars before it, all other
 * containers with all sidecars. A limit without request is a request.
 */
function simultaneousRequests(pod: JsonObject, resource: string): readonly (readonly string[])[] {
  const requestOf = (container: JsonObject) =>
    amountOf(container, 'requests', resource) || amountOf(container, 'limits', resource);
  const groups: string[][] = [];
  const sidecars: string[] = [];
  for (const container of containersOf(pod, 'initContainers')) {
    const request = requestOf(container);
    groups.push([...sidecars, request]);
    if (container.restartPolicy === 'Always') sidecars.push(request);
  }
  return [...groups, [...sidecars, ...containersOf(pod, 'containers').map(requestOf)]];
}

function amountOf(container: JsonObject, field: 'requests' | 'limits', resource: string): string {
  return amount(asObject(asObject(container.resources)[field]), resource);
}

/** Empty if there is none. */
function amount(amounts: JsonObject, resource: string): string {
  const value = amounts[resource];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
