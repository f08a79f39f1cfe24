import { itemsOf, membersOf } from '../kube/json-parts.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import { specOf } from './model/backend.ts';
import type { Source } from './model/source.ts';
import { textOf } from './model/text.ts';

/** Kinds that rules check in the whole cluster. */
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

/** Kinds that rules check in the namespaces of webhooks. */
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

/** Groups of custom resources that rules check, if the cluster has them. */
const CUSTOM_GROUPS = ['mutations.gatekeeper.sh'];

export function customKinds(sources: readonly Source[]): ResourceRef[] {
  return sources.flatMap((source): ResourceRef[] => {
    const { group, names, scope, versions } = specOf(source);
    if (source.object.kind !== 'CustomResourceDefinition' || !CUSTOM_GROUPS.includes(textOf(group)))
      return [];
    const stored = itemsOf(versions)
      .map(membersOf)
      .find(({ storage }) => storage === true);
    const { kind, plural } = membersOf(names);
    const version = textOf(stored?.name);
    const resource = textOf(plural);
    return [
      { group: textOf(group), version, kind: textOf(kind), resource, namespaced: scope === 'Namespaced' },
    ];
  });
}
