/**
 * Optional fields that Go omits if they are zero, in structs that go-structs.mjs does not list: numbers and booleans that are not
 * pointers, which OpenAPI does not show. Reviewed by hand.
 */
const omittedIfZero = new Set([
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet'].map(
    (kind) => `${kind}Spec.minReadySeconds`,
  ),
  'DeploymentSpec.paused',
  'ServiceSpec.publishNotReadyAddresses',
  'ServiceSpec.healthCheckNodePort',
  'ServicePort.nodePort',
  'NodeSpec.unschedulable',
  'EphemeralContainer.stdin',
  'EphemeralContainer.stdinOnce',
  'EphemeralContainer.tty',
  'AWSElasticBlockStoreVolumeSource.partition',
  'GCEPersistentDiskVolumeSource.partition',
  'ISCSIVolumeSource.chapAuthDiscovery',
  'ISCSIVolumeSource.chapAuthSession',
  'ScaleIOVolumeSource.sslEnabled',
  'CoreEvent.count',
]);

/** Pointers to strings, where '' is a value. */
const stringPointers = new Set([
  'AzureDiskVolumeSource.cachingMode',
  'AzureDiskVolumeSource.fsType',
  'AzureDiskVolumeSource.kind',
  'AzureFilePersistentVolumeSource.secretNamespace',
  'ClusterTrustBundleProjection.name',
  'ClusterTrustBundleProjection.signerName',
  'ContainerStatus.stopSignal',
  'EndpointAddress.nodeName',
  'EphemeralContainer.restartPolicy',
  'GlusterfsPersistentVolumeSource.endpointsNamespace',
  'ISCSIPersistentVolumeSource.initiatorName',
  'ISCSIVolumeSource.initiatorName',
  'IngressSpec.ingressClassName',
  'LoadBalancerIngress.ipMode',
  'LocalVolumeSource.fsType',
  'PersistentVolumeClaimSpec.storageClassName',
  'PersistentVolumeClaimSpec.volumeAttributesClassName',
  'PersistentVolumeClaimSpec.volumeMode',
  'PersistentVolumeClaimStatus.currentVolumeAttributesClassName',
  'PersistentVolumeSpec.volumeAttributesClassName',
  'PersistentVolumeSpec.volumeMode',
  'PodAffinityTerm.namespaceSelector',
  'PodResourceClaim.resourceClaimName',
  'PodResourceClaim.resourceClaimTemplateName',
  'PodResourceClaimStatus.resourceClaimName',
  'PodSchedulingGroup.podGroupName',
  'PortStatus.error',
  'ResourceHealth.message',
  'ServicePort.appProtocol',
  'ServiceSpec.internalTrafficPolicy',
  'ServiceSpec.ipFamilyPolicy',
  'ServiceSpec.loadBalancerClass',
  'ServiceSpec.trafficDistribution',
  'TopologySpreadConstraint.nodeAffinityPolicy',
  'TopologySpreadConstraint.nodeTaintsPolicy',
  'TypedLocalObjectReference.apiGroup',
  'TypedObjectReference.apiGroup',
  'TypedObjectReference.namespace',
  'VolumeMountStatus.recursiveReadOnly',
]);

/** Required fields that Go omits nevertheless if they are empty. */
const omittedIfEmpty = new Set(['PodCertificateProjection.keyType', 'PodCertificateProjection.signerName']);

export function isOmittedIfEmpty(definition, field) {
  return omittedIfEmpty.has(`${definition}.${field}`);
}

/** Whether Go keeps a zero value of an optional scalar. */
export function isPointer(definition, field, type) {
  if (type === 's') return stringPointers.has(`${definition}.${field}`);
  if (definition.endsWith('Status')) return false;
  if (field === 'readOnly') return ['CSIVolumeSource', 'AzureDiskVolumeSource'].includes(definition);
  return !omittedIfZero.has(`${definition}.${field}`);
}

/** A kind whose group version is not among the documents, but from which others are converted: autoscaling/v1. */
export const extraKinds = ['autoscaling/v1/HorizontalPodAutoscaler:V1HorizontalPodAutoscaler'];
export const extraDefinitions = [
  'V1HorizontalPodAutoscaler apiVersion:s kind:s metadata:!ObjectMeta spec:!V1HorizontalPodAutoscalerSpec status:!V1HorizontalPodAutoscalerStatus',
  'V1HorizontalPodAutoscalerSpec maxReplicas:!i minReplicas:*i scaleTargetRef:!CrossVersionObjectReference targetCPUUtilizationPercentage:*i',
  'V1HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage:*i currentReplicas:!i desiredReplicas:!i lastScaleTime:t observedGeneration:*l',
];
