import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { canonicalQuantity } from './quantity.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';
import { shapeOf } from './shape-of.ts';

/**
 * A Pod as the API server would hand it on after a webhook: defaults filled in, quantities in canonical form, empty
 * values dropped, the service-account token mounted into new containers. A model of what injection meets on its second
 * call; not a validation.
 */
export function withApiDefaults(pod: JsonObject): JsonObject {
  const typed = roundTrip(pod, shapeOf('v1', 'Pod')) as JsonObject;
  const spec = record(typed.spec);
  const token = tokenVolume(spec);
  const container = (value: Json): Json => withTokenMount(containerDefaults(record(value)), token);
  return {
    ...typed,
    spec: {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      enableServiceLinks: true,
      securityContext: {},
      ...spec,
      ...(isJsonArray(spec.containers) && { containers: spec.containers.map(container) }),
      ...(isJsonArray(spec.initContainers) && { initContainers: spec.initContainers.map(container) }),
      ...(isJsonArray(spec.volumes) && {
        volumes: spec.volumes.map((value) => volumeDefaults(record(value))),
      }),
    },
  };
}

/** What decoding into Go's types and encoding again does. */
function roundTrip(value: Json, shape: Shape): Json {
  if (shape.type === 'quantity') return canonicalQuantity(value as string | number);
  if (isJsonArray(value)) return value.map((item) => roundTrip(item, itemShape(shape)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .map(([key, child]): [string, Json] => [key, roundTrip(child, fieldShape(shape, key))])
    .filter(([key, child]) => !dropped(child, fieldShape(shape, key)));
  return Object.fromEntries(entries);
}

function dropped(value: Json, shape: Shape): boolean {
  if (value === null) return true;
  if (shape.type === 'omitted') return value === shape.zero;
  if (isJsonArray(value)) return value.length === 0 && shape.type !== 'any';
  return shape.type === 'map' && isJsonObject(value) && Object.keys(value).length === 0;
}

function containerDefaults(container: JsonObject): JsonObject {
  const { image } = container;
  const latest = typeof image === 'string' && (!/:[^/]*$/.test(image) || image.endsWith(':latest'));
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: latest ? 'Always' : 'IfNotPresent',
    ...container,
    resources: resourceDefaults(record(container.resources)),
    ...(isJsonArray(container.ports) && {
      ports: container.ports.map((port) => ({ protocol: 'TCP', ...record(port) })),
    }),
    ...(isJsonArray(container.env) && { env: container.env.map((entry) => envDefaults(record(entry))) }),
    ...probeDefaults(container, 'livenessProbe'),
    ...probeDefaults(container, 'readinessProbe'),
    ...probeDefaults(container, 'startupProbe'),
  };
}

function resourceDefaults(resources: JsonObject): JsonObject {
  if (!isJsonObject(resources.limits)) return resources;
  return { ...resources, requests: { ...resources.limits, ...record(resources.requests) } };
}

function envDefaults(entry: JsonObject): JsonObject {
  const source = record(entry.valueFrom);
  if (!isJsonObject(source.fieldRef)) return entry;
  return { ...entry, valueFrom: { ...source, fieldRef: { apiVersion: 'v1', ...source.fieldRef } } };
}

function probeDefaults(container: JsonObject, field: string): JsonObject {
  const probe = container[field];
  if (!isJsonObject(probe)) return {};
  const http = isJsonObject(probe.httpGet) && { httpGet: { path: '/', scheme: 'HTTP', ...probe.httpGet } };
  return {
    [field]: {
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
      ...probe,
      ...http,
    },
  };
}

function volumeDefaults(volume: JsonObject): JsonObject {
  // Any other field is its source, also one that we do not know.
  if (Object.keys(volume).every((field) => field === 'name')) return { ...volume, emptyDir: {} };
  for (const source of ['configMap', 'secret', 'downwardAPI', 'projected']) {
    const value = volume[source];
    if (isJsonObject(value)) return { ...volume, [source]: { defaultMode: 420, ...value } };
  }
  return volume;
}

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

function tokenVolume(spec: JsonObject): string | undefined {
  const names = (isJsonArray(spec.volumes) ? spec.volumes : []).map((volume) => record(volume).name);
  return names.find(
    (name): name is string => typeof name === 'string' && name.startsWith('kube-api-access-'),
  );
}

function withTokenMount(container: JsonObject, volume: string | undefined): JsonObject {
  const mounts = isJsonArray(container.volumeMounts) ? container.volumeMounts : [];
  if (volume === undefined || mounts.some((mount) => record(mount).mountPath === TOKEN_PATH))
    return container;
  return { ...container, volumeMounts: [...mounts, { name: volume, readOnly: true, mountPath: TOKEN_PATH }] };
}

function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
