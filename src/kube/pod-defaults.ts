import { isJsonObject, type JsonObject } from '../json/json.ts';
import { fill, fillCounts, fillItems, fillMember } from './fill.ts';
import { defaultPullPolicy } from './image-name.ts';
import { volumeDefaults } from './volume-defaults.ts';

/** The spec of a Pod with the API server's defaults, and the name of its ServiceAccount, which an admission plugin sets. */
export function podDefaults(spec: JsonObject): JsonObject {
  return fill(podApiDefaults(spec), { serviceAccountName: 'default' });
}

/**
 * Also with the priority that an admission plugin sets. That of a PriorityClass is not known; a default PriorityClass is not
 * considered.
 */
export function admittedPodDefaults(spec: JsonObject): JsonObject {
  const filled = podDefaults(spec);
  return (spec.priorityClassName ?? '') === '' ? withPriority(filled) : filled;
}

/** The same for any PriorityClass: what is a default if it was there before the Pod got the class. */
export function anyPodDefaults(spec: JsonObject): JsonObject {
  return withPriority(podDefaults(spec));
}

function withPriority(spec: JsonObject): JsonObject {
  return fill(spec, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
}

/** The spec of a Pod with the API server's defaults (`SetDefaults_Pod`). */
export function podApiDefaults(spec: JsonObject): JsonObject {
  const isOnHost = spec.hostNetwork === true;
  const container = (value: JsonObject) => {
    const requested = fillMember(value, 'resources', requestsFromLimits);
    return isOnHost ? fillItems(requested, 'ports', hostPort) : requested;
  };
  let next = fill(podTemplateDefaults(spec), {
    enableServiceLinks: true,
  });
  for (const list of ['containers', 'initContainers']) next = fillItems(next, list, container);
  return next;
}

/** The spec of a Pod template with the API server's defaults (`SetDefaults_PodSpec`): fewer than those of a Pod. */
export function podTemplateDefaults(spec: JsonObject): JsonObject {
  let next = fill(spec, {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    // The old name of the field.
    ...(typeof spec.serviceAccount === 'string' && { serviceAccountName: spec.serviceAccount }),
  });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    next = fillItems(next, list, containerDefaults);
  }
  return fillItems(next, 'volumes', volumeDefaults);
}

function containerDefaults(container: JsonObject): JsonObject {
  let next = fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: defaultPullPolicy(container.image),
    resources: {},
  });
  next = fillItems(next, 'ports', (port) => fill(port, { protocol: 'TCP' }));
  next = fillItems(next, 'env', (entry) => fillMember(entry, 'valueFrom', sourceDefaults));
  for (const probe of PROBES) next = fillMember(next, probe, probeDefaults);
  return fillMember(next, 'lifecycle', (lifecycle) =>
    fillMember(fillMember(lifecycle, 'postStart', handlerDefaults), 'preStop', handlerDefaults),
  );
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

function sourceDefaults(source: JsonObject): JsonObject {
  let next = fillMember(source, 'fieldRef', (ref) => fill(ref, { apiVersion: 'v1' }));
  next = fillMember(next, 'resourceFieldRef', (ref) => fill(ref, { divisor: '0' }));
  return fillMember(next, 'fileKeyRef', (ref) => fill(ref, { optional: false }));
}

function probeDefaults(probe: JsonObject): JsonObject {
  const counts = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  return fillMember(handlerDefaults(fillCounts(probe, counts)), 'grpc', (grpc) =>
    fill(grpc, { service: '' }),
  );
}

function handlerDefaults(handler: JsonObject): JsonObject {
  return fillMember(handler, 'httpGet', (action) => fill(action, { path: '/', scheme: 'HTTP' }));
}

function requestsFromLimits(resources: JsonObject): JsonObject {
  const { limits } = resources;
  if (!isJsonObject(limits) || Object.keys(limits).length === 0) return resources;
  const filled = fill(resources, { requests: {} });
  // An amount of 0 is set.
  return fillMember(filled, 'requests', (requests) =>
    Object.keys(limits).every((resource) => Object.hasOwn(requests, resource))
      ? requests
      : { ...limits, ...requests },
  );
}

function hostPort(port: JsonObject): JsonObject {
  const { containerPort = 0 } = port;
  return containerPort === null || containerPort === 0 ? port : fillCounts(port, { hostPort: containerPort });
}
