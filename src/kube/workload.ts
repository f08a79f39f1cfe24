import type { Pointer } from '../json/pointer.ts';
import type { Pod, PodTemplateSpec } from './generated/types.ts';
import type { DeepReadonly, KubeObject } from './kube-object.ts';
import { groupOf } from './resource.ts';

const TEMPLATE = '/spec/template';
/** The path of the Pod template, by kind of workload. */
const templatePaths: { readonly [kind: string]: Pointer } = {
  Deployment: TEMPLATE,
  StatefulSet: TEMPLATE,
  DaemonSet: TEMPLATE,
  ReplicaSet: TEMPLATE,
  ReplicationController: TEMPLATE,
  DeploymentConfig: TEMPLATE,
  Job: TEMPLATE,
  CronJob: '/spec/jobTemplate/spec/template',
};

/** A kind of custom resource whose controller creates Pods from a template. */
export interface CustomWorkload {
  readonly group: string;
  readonly kind: string;
  readonly podTemplate: Pointer;
}

/** Common kinds of custom resources. */
const WELL_KNOWN: readonly CustomWorkload[] = [
  { group: 'argoproj.io', kind: 'Rollout', podTemplate: TEMPLATE },
  { group: 'serving.knative.dev', kind: 'Service', podTemplate: TEMPLATE },
  { group: 'serving.knative.dev', kind: 'Configuration', podTemplate: TEMPLATE },
  { group: 'keda.sh', kind: 'ScaledJob', podTemplate: '/spec/jobTargetRef/template' },
  { group: 'apps.kruise.io', kind: 'CloneSet', podTemplate: TEMPLATE },
  { group: 'apps.kruise.io', kind: 'StatefulSet', podTemplate: TEMPLATE },
  { group: 'apps.kruise.io', kind: 'DaemonSet', podTemplate: TEMPLATE },
  { group: 'apps.kruise.io', kind: 'BroadcastJob', podTemplate: TEMPLATE },
  { group: 'agones.dev', kind: 'GameServer', podTemplate: TEMPLATE },
  { group: 'agones.dev', kind: 'Fleet', podTemplate: '/spec/template/spec/template' },
];

/** The path of the Pod template in an object of Kubernetes' own kinds, which the API server validates and fills with defaults. */
export function templatePathOf(object: KubeObject): Pointer | undefined {
  if (WELL_KNOWN.some((workload) => isOf(workload, object))) return undefined;
  return Object.hasOwn(templatePaths, object.kind) ? templatePaths[object.kind] : undefined;
}

/** The path of the Pod template in any workload, custom resources included; undefined if it has none. */
export function podTemplatePathOf(
  object: KubeObject,
  custom: readonly CustomWorkload[] = [],
): Pointer | undefined {
  const found = [...custom, ...WELL_KNOWN].find((workload) => isOf(workload, object));
  return found === undefined ? templatePathOf(object) : found.podTemplate;
}

function isOf({ group, kind }: CustomWorkload, object: KubeObject): boolean {
  // Anything may be there in a review that no API server has sent.
  const apiVersion: unknown = object.apiVersion;
  return object.kind === kind && typeof apiVersion === 'string' && groupOf(apiVersion) === group;
}

/**
 * The Pod that a workload's controller would create, as admission would see it: with `generateName` and an owner, without name
 * and namespace. The owner is the workload itself, since the ReplicaSet or Job in between has no name yet.
 */
export function podFromTemplate(
  workload: KubeObject,
  template: DeepReadonly<PodTemplateSpec>,
): DeepReadonly<Pod> {
  const { apiVersion, kind } = workload;
  const { name = '' } = workload.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      generateName: `${name}-`,
      ownerReferences: [{ apiVersion, kind, name, uid: '', controller: true }],
    },
    spec: template.spec ?? { containers: [] },
  };
}
