import type { Pointer } from '../json/pointer.ts';
import type { Pod, PodTemplateSpec } from './generated/types.ts';
import type { DeepReadonly, KubeObject } from './kube-object.ts';

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

/** The path of an object's Pod template; undefined if it has none. */
export function templatePathOf(object: KubeObject): Pointer | undefined {
  return Object.hasOwn(templatePaths, object.kind) ? templatePaths[object.kind] : undefined;
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
