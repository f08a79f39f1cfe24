import { builtin, type ResourceRef } from '../kube/resource.ts';

/** What rules look at in the whole cluster. */
export const CLUSTER_KINDS: readonly ResourceRef[] = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'CustomResourceDefinition',
  'Namespace',
  'ClusterRole',
  'ClusterRoleBinding',
].map(builtin);

/** What they look at in the namespaces of webhooks. */
export const NAMESPACE_KINDS: readonly ResourceRef[] = [
  'Service',
  'EndpointSlice',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ServiceAccount',
  'Role',
  'RoleBinding',
].map(builtin);

/** Only those that the Pods of webhooks mount are read. */
export const SECRET = builtin('Secret');
