import type { JsonObject } from '../../json/json.ts';
import { exceeds, isLess } from '../../kube/quantity.ts';
import { containersOf, object } from './pod-json.ts';

/** What to lower where the proxy asks for too much. */
const ANNOTATIONS: Readonly<Record<string, readonly [request: string, limit: string]>> = {
  cpu: ['sidecar.istio.io/proxyCPU', 'sidecar.istio.io/proxyCPULimit'],
  memory: ['sidecar.istio.io/proxyMemory', 'sidecar.istio.io/proxyMemoryLimit'],
};

/**
 * A Pod may have resources of its own, which its containers share (KEP-2837). The API server refuses it where they request
 * more in all, or one of them has a higher limit. Templates know nothing of that, and what they say of the proxy is not
 * ours to change: the proxy takes its number of threads from its limit.
 */
export function sharedResourceWarnings(pod: JsonObject): readonly string[] {
  const own = object(object(pod.spec).resources);
  const [requests, limits] = [object(own.requests), object(own.limits)];
  const containers = [...containersOf(pod, 'initContainers'), ...containersOf(pod, 'containers')];
  return [
    ...Object.keys(requests)
      .filter((resource) => together(pod, resource).some((each) => exceeds(each, text(requests, resource))))
      .map((resource) => refusal('request', resource, 'with the proxy its containers ask for more')),
    ...Object.keys(limits).flatMap((resource) =>
      containers
        .filter((container) => isLess(text(limits, resource), text(amountsOf(container, 'limits'), resource)))
        .map(({ name }) => refusal('limit', resource, `container "${String(name)}" has a higher one`)),
    ),
  ];
}

function refusal(what: 'request' | 'limit', resource: string, reason: string): string {
  const annotation = ANNOTATIONS[resource]?.[what === 'request' ? 0 : 1];
  const remedy = annotation === undefined ? '' : `; annotation "${annotation}" sets the proxy's`;
  return `spec.resources has a ${resource} ${what}, and ${reason}: the API server refuses such a Pod${remedy}`;
}

/**
 * The requests of what runs at the same time, for each time: sidecars run beside all that start after them, other init containers one
 * at a time. A limit alone is a request.
 */
function together(pod: JsonObject, resource: string): readonly (readonly string[])[] {
  const requestOf = (container: JsonObject) =>
    text(amountsOf(container, 'requests'), resource) || text(amountsOf(container, 'limits'), resource);
  const times: string[][] = [];
  const sidecars: string[] = [];
  for (const container of containersOf(pod, 'initContainers')) {
    const request = requestOf(container);
    times.push([...sidecars, request]);
    if (container.restartPolicy === 'Always') sidecars.push(request);
  }
  return [...times, [...sidecars, ...containersOf(pod, 'containers').map(requestOf)]];
}

function amountsOf(container: JsonObject, field: 'requests' | 'limits'): JsonObject {
  return object(object(container.resources)[field]);
}

/** Empty where there is none. */
function text(amounts: JsonObject, resource: string): string {
  const value = amounts[resource];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
