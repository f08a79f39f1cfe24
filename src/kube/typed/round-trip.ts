import type { JsonObject } from '../../json/json.ts';
import { withDefaults } from '../api-defaults.ts';
import { fill, fillAbsent, fillItems, fillMember } from '../fill.ts';
import type { KubeObject } from '../kube-object.ts';
import { podApiDefaults } from '../pod-defaults.ts';
import { admissionDefaults } from './admission-defaults.ts';
import { type Decoded, decodeTyped } from './decode.ts';
import type { StructType } from './schema.ts';

/** An object as the API server holds it: decoded into its Go type, with defaults, and encoded again. */
export function roundTrip(object: JsonObject, type: StructType): Decoded {
  const decoded = decodeTyped(object, type);
  return 'error' in decoded ? decoded : { ...decoded, value: withApiDefaults(decoded.value) };
}

/** A decoded object with the API's defaults, without those that admission plugins set. */
export function withApiDefaults(object: JsonObject): JsonObject {
  const filled = withDefaults(object as unknown as KubeObject, podApiDefaults) as unknown as JsonObject;
  const own = others[`${String(object.apiVersion)}/${String(object.kind)}`];
  return asConverted(own === undefined ? filled : own(filled));
}

const others: { readonly [kind: string]: (object: JsonObject) => JsonObject } = {
  'v1/Namespace': namespaceDefaults,
  'v1/Secret': (object) => fill(object, { type: 'Opaque' }),
  'v1/PersistentVolumeClaim': (object) =>
    fillMember(object, 'spec', (spec) => fillAbsent(spec, { volumeMode: 'Filesystem' })),
  'v1/Service': (object) => fillMember(object, 'spec', serviceDefaults),
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalerDefaults,
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalerDefaults,
  ...admissionDefaults,
};

function autoscalerDefaults(object: JsonObject): JsonObject {
  return fillMember(object, 'spec', (spec) => fill(spec, { minReplicas: 1 }));
}

function namespaceDefaults(object: JsonObject): JsonObject {
  const named = fillMember(object, 'metadata', (metadata) => {
    const { name } = metadata;
    if (typeof name !== 'string' || name === '') return metadata;
    return fillMember(fill(metadata, { labels: {} }), 'labels', (labels) =>
      fill(labels, { 'kubernetes.io/metadata.name': name }),
    );
  });
  return fillMember(named, 'status', (status) => fill(status, { phase: 'Active' }));
}

function serviceDefaults(spec: JsonObject): JsonObject {
  const typed = fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  const isExternal = typed.type === 'NodePort' || typed.type === 'LoadBalancer';
  const filled = fill(typed, {
    ...(isExternal && { externalTrafficPolicy: 'Cluster' }),
    ...((isExternal || typed.type === 'ClusterIP') && { internalTrafficPolicy: 'Cluster' }),
    ...(typed.type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  });
  return fillItems(filled, 'ports', (port) => {
    const next = fill(port, { protocol: 'TCP' });
    const isUnset = (next.targetPort ?? 0) === 0 || next.targetPort === '';
    return isUnset && next.port !== undefined ? { ...next, targetPort: next.port } : next;
  });
}

/** What converting a Pod to the version that the API server works with changes, besides defaults. */
function asConverted(object: JsonObject): JsonObject {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1') return object;
  return fillMember(object, 'spec', (spec) => withGracePeriod(withServiceAccount(spec)));
}

/** Both names of the field are always set together. */
function withServiceAccount(spec: JsonObject): JsonObject {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (name === undefined || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

function withGracePeriod(spec: JsonObject): JsonObject {
  const seconds = spec.terminationGracePeriodSeconds;
  return typeof seconds === 'number' && seconds < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}
