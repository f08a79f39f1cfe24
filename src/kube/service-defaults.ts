import { isJsonObject, type JsonObject } from '../json/json.ts';
import { fill, fillAbsent, fillItems, fillMember } from './fill.ts';

/** A Service with the API server's defaults (`SetDefaults_Service`), without addresses and node ports, which it allocates later. */
export function serviceDefaults(service: JsonObject): JsonObject {
  const next = fillMember(service, 'spec', specDefaults);
  if (!isJsonObject(next.spec) || next.spec.type !== 'LoadBalancer') return next;
  return fillMember(next, 'status', (status) =>
    fillMember(status, 'loadBalancer', (balancer) =>
      fillItems(balancer, 'ingress', (point) => (point.ip ? fillAbsent(point, { ipMode: 'VIP' }) : point)),
    ),
  );
}

function specDefaults(spec: JsonObject): JsonObject {
  const typed = sessionDefaults(fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' }));
  const hasNodePorts = typed.type === 'NodePort' || typed.type === 'LoadBalancer';
  const hasExternalIps = Array.isArray(typed.externalIPs) && typed.externalIPs.length > 0;
  const isExternal = hasNodePorts || (typed.type === 'ClusterIP' && hasExternalIps);
  const external = fill(typed, isExternal ? { externalTrafficPolicy: 'Cluster' } : {});
  const filled = fillAbsent(external, {
    ...((hasNodePorts || typed.type === 'ClusterIP') && { internalTrafficPolicy: 'Cluster' }),
    ...(typed.type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  });
  return fillItems(filled, 'ports', (port) => {
    const next = fill(port, { protocol: 'TCP' });
    const isUnset = (next.targetPort ?? 0) === 0 || next.targetPort === '';
    return isUnset && next.port !== undefined ? { ...next, targetPort: next.port } : next;
  });
}

/** The configuration of a session affinity: dropped if there is none, complete if there is one. */
function sessionDefaults(spec: JsonObject): JsonObject {
  const { sessionAffinityConfig: config, ...rest } = spec;
  if (spec.sessionAffinity === 'None') return config === undefined ? spec : rest;
  if (spec.sessionAffinity !== 'ClientIP') return spec;
  const clientIP = isJsonObject(config) ? config.clientIP : undefined;
  if (isJsonObject(clientIP) && (clientIP.timeoutSeconds ?? null) !== null) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } };
}
