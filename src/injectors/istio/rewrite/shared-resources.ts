import { exceeds, firstMessages, isLess, type JsonObject, quoted } from '../../../sdk/index.ts';
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
  const [initContainers, others] = [containersOf(pod, 'initContainers'), containersOf(pod, 'containers')];
  const containers = [...initContainers, ...others];
  if (containers.length > MOST_CONTAINERS) return [];
  return firstMessages([
    ...sharedIn(requests)
      .filter((resource) =>
        exceeds(
          containers.map((container) => requestOf(container, resource)),
          amount(requests, resource),
          // Each init container runs with the sidecars before it, all other containers with all sidecars.
          (index) => index >= initContainers.length || initContainers[index]?.restartPolicy === 'Always',
        ),
      )
      .map((resource) => warning('request', resource, 'with the proxy its containers request more')),
    ...sharedIn(limits).flatMap((resource) =>
      others
        .filter((container) => isLess(amount(limits, resource), amountOf(container, 'limits', resource)))
        .map(({ name }) => warning('limit', resource, `container ${quoted(name)} has a higher one`)),
    ),
  ]);
}

/** Hundreds of warnings help nobody. */
const MOST_CONTAINERS = 100;
/** Far more page sizes than an architecture has. */
const MOST_PAGE_SIZES = 16;

/** The resources that a Pod can have itself; the API server rejects others. */
function sharedIn(amounts: JsonObject): readonly string[] {
  const pageSizes = Object.keys(amounts).filter((name) => /^hugepages-\d{1,9}[KMGT]i$/.test(name));
  const common = ['cpu', 'memory'].filter((name) => Object.hasOwn(amounts, name));
  return [...common, ...pageSizes.slice(0, MOST_PAGE_SIZES)];
}

function warning(kind: 'request' | 'limit', resource: string, reason: string): string {
  const annotation = ANNOTATIONS[resource]?.[kind];
  const remedy = annotation === undefined ? '' : `; annotation "${annotation}" sets the proxy's`;
  return `spec.resources has a ${resource} ${kind}, and ${reason}: the API server rejects such a Pod${remedy}`;
}

/** A limit without request is a request. */
function requestOf(container: JsonObject, resource: string): string {
  return amountOf(container, 'requests', resource) || amountOf(container, 'limits', resource);
}

function amountOf(container: JsonObject, field: 'requests' | 'limits', resource: string): string {
  return amount(asObject(asObject(container.resources)[field]), resource);
}

/** Empty if there is none. */
function amount(amounts: JsonObject, resource: string): string {
  const value = amounts[resource];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
