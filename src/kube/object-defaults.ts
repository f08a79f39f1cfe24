import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import { admissionDefaults } from './admission-defaults.ts';
import { autoscalerDefaults, oldAutoscalerDefaults } from './autoscaler-defaults.ts';
import { claimDefaults, withPhase } from './claim-defaults.ts';
import { fill, fillAbsent, fillItems, fillMember } from './fill.ts';
import { limitRangeDefaults } from './limit-range-defaults.ts';
import { podTemplateDefaults } from './pod-defaults.ts';
import { serviceDefaults } from './service-defaults.ts';
import { volumeSourceDefaults } from './volume-defaults.ts';

type Change = (object: JsonObject) => JsonObject;

const ofSpec =
  (change: Change): Change =>
  (object) =>
    fillMember(object, 'spec', change);

/** The defaults of the API server (`SetDefaults_…`) for kinds that are neither Pods nor workloads, by `apiVersion/kind`. */
export const objectDefaults: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['v1/Endpoints', (object) => fillItems(object, 'subsets', (subset) => fillItems(subset, 'ports', withTcp))],
  ['v1/LimitRange', limitRangeDefaults],
  ['v1/Namespace', (object) => withPhase(withOwnName(object), 'Active')],
  ['v1/Node', (object) => fillMember(object, 'status', withAllocatable)],
  ['v1/PersistentVolume', volumeDefaults],
  ['v1/PersistentVolumeClaim', claimDefaults],
  ['v1/PodTemplate', (object) => fillMember(object, 'template', ofSpec(podTemplateDefaults))],
  ['v1/Secret', (object) => fill(object, { type: 'Opaque' })],
  ['v1/Service', serviceDefaults],
  ['autoscaling/v1/HorizontalPodAutoscaler', oldAutoscalerDefaults],
  ['autoscaling/v2/HorizontalPodAutoscaler', autoscalerDefaults],
  [
    'discovery.k8s.io/v1/EndpointSlice',
    (object) => fillItems(object, 'ports', (port) => fillAbsent(port, { name: '', protocol: 'TCP' })),
  ],
  [
    'networking.k8s.io/v1/IngressClass',
    ofSpec((spec) =>
      fillMember(spec, 'parameters', (reference) => fillAbsent(reference, { scope: 'Cluster' })),
    ),
  ],
  ['networking.k8s.io/v1/NetworkPolicy', ofSpec(networkPolicyDefaults)],
  ['rbac.authorization.k8s.io/v1/ClusterRoleBinding', roleBindingDefaults],
  ['rbac.authorization.k8s.io/v1/RoleBinding', roleBindingDefaults],
  [
    'scheduling.k8s.io/v1/PriorityClass',
    (object) => fillAbsent(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  ],
  [
    'storage.k8s.io/v1/StorageClass',
    (object) => fillAbsent(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  ],
  ...Object.entries(admissionDefaults),
]);

function withTcp(port: JsonObject): JsonObject {
  return fill(port, { protocol: 'TCP' });
}

function withOwnName(namespace: JsonObject): JsonObject {
  return fillMember(namespace, 'metadata', (metadata) => {
    const { name } = metadata;
    if (typeof name !== 'string' || name === '') return metadata;
    return fillMember(fill(metadata, { labels: {} }), 'labels', (labels) =>
      labels['kubernetes.io/metadata.name'] === name
        ? labels
        : { ...labels, 'kubernetes.io/metadata.name': name },
    );
  });
}

function withAllocatable(status: JsonObject): JsonObject {
  const { capacity } = status;
  return isJsonObject(capacity) ? fillAbsent(status, { allocatable: capacity }) : status;
}

function volumeDefaults(volume: JsonObject): JsonObject {
  const filled = fillMember(volume, 'spec', (spec) =>
    fillAbsent(fill(volumeSourceDefaults(spec), { persistentVolumeReclaimPolicy: 'Retain' }), {
      volumeMode: 'Filesystem',
    }),
  );
  return withPhase(filled, 'Pending');
}

/** A policy without types is one for incoming traffic, and for outgoing traffic if it has such rules. */
function networkPolicyDefaults(spec: JsonObject): JsonObject {
  const { policyTypes, egress } = spec;
  const hasEgress = isJsonArray(egress) && egress.length > 0;
  const isTyped = isJsonArray(policyTypes) && policyTypes.length > 0;
  const types = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
  let next = isTyped ? spec : { ...spec, policyTypes: types };
  for (const rules of ['ingress', 'egress']) {
    next = fillItems(next, rules, (rule) =>
      fillItems(rule, 'ports', (port) => fillAbsent(port, { protocol: 'TCP' })),
    );
  }
  return next;
}

function roleBindingDefaults(binding: JsonObject): JsonObject {
  const referred = fillMember(binding, 'roleRef', (role) => fill(role, { apiGroup: RBAC }));
  return fillItems(referred, 'subjects', (subject) =>
    subject.kind === 'User' || subject.kind === 'Group' ? fill(subject, { apiGroup: RBAC }) : subject,
  );
}

const RBAC = 'rbac.authorization.k8s.io';
