/** Enums that Kubernetes validates, but that its OpenAPI does not list. Reviewed by hand. */
export const enums = {
  'Container.restartPolicy': ['Always', 'Never', 'OnFailure'],
  'EphemeralContainer.restartPolicy': ['Always', 'Never', 'OnFailure'],
  'ContainerResizePolicy.restartPolicy': ['NotRequired', 'RestartContainer'],
  'ContainerRestartRuleOnExitCodes.operator': ['In', 'NotIn'],
  'HPAScalingRules.selectPolicy': ['Disabled', 'Max', 'Min'],
  'LabelSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'LimitRangeItem.type': ['Container', 'PersistentVolumeClaim', 'Pod'],
  'MetricTarget.type': ['AverageValue', 'Utilization', 'Value'],
  'PodSecurityContext.seLinuxChangePolicy': ['MountOption', 'Recursive'],
  'VolumeMount.recursiveReadOnly': ['Disabled', 'Enabled', 'IfPossible'],
};

/** Integers, and names or integers, that must be ports. The OpenAPI has no ranges. */
export function isPort(definition, field) {
  if (definition === 'ServiceBackendPort') return field === 'number';
  return ['containerPort', 'hostPort', 'nodePort', 'targetPort', 'port', 'endPort'].includes(field);
}
