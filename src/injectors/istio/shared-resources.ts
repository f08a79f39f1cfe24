import type { JsonObject } from '../../json/json.ts';
import { isLess, isQuantity } from '../../kube/quantity.ts';
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
      .filter((resource) => (amount(requests, resource) ?? 0) < requestedOf(pod, resource))
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

/** As Kubernetes counts: sidecars run beside all that start after them, other init containers one at a time. A limit alone is a request. */
function requestedOf(pod: JsonObject, resource: string): number {
  const requestOf = (container: JsonObject) =>
    amount(amountsOf(container, 'requests'), resource) ??
    amount(amountsOf(container, 'limits'), resource) ??
    0;
  let [sidecars, highest] = [0, 0];
  for (const container of containersOf(pod, 'initContainers')) {
    const request = requestOf(container);
    if (container.restartPolicy === 'Always') sidecars += request;
    highest = Math.max(highest, sidecars + (container.restartPolicy === 'Always' ? 0 : request));
  }
  const together = containersOf(pod, 'containers').reduce((sum, each) => sum + requestOf(each), sidecars);
  return Math.max(together, highest);
}

function amountsOf(container: JsonObject, field: 'requests' | 'limits'): JsonObject {
  return object(object(container.resources)[field]);
}

const UNITS = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** In thousandths, the finest that Kubernetes counts in; undefined where there is none. */
function amount(amounts: JsonObject, resource: string): number | undefined {
  const found = text(amounts, resource);
  if (found === undefined || !isQuantity(found)) return undefined;
  const [, number = '', unit = ''] = /^(.*?)([numkMGTPE]?|[KMGTPE]i)$/.exec(found) ?? [];
  const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(unit) + 1;
  const factor = binary > 0 ? 1024 ** binary : 1000 ** (UNITS.indexOf(unit) - 3);
  return Math.ceil(Number((Number(number) * factor * 1000).toPrecision(15)));
}

function text(amounts: JsonObject, resource: string): string | undefined {
  const value = amounts[resource];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
