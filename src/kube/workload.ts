import type { Pointer } from '../json/pointer.ts';
import type { Pod, PodTemplateSpec } from './generated/types.ts';
import type { DeepReadonly, KubeObject } from './kube-object.ts';

const TEMPLATE = '/spec/template';
/** Where each kind of workload keeps the template of its Pods. */
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

/** The place of an object's pod template; undefined where it has none. */
export function templatePathOf(object: KubeObject): Pointer | undefined {
  return Object.hasOwn(templatePaths, object.kind) ? templatePaths[object.kind] : undefined;
}

/**
 * The Pod that a workload's controller would create from its template, as admission would see it: `generateName`, the
 * workload as its owner (a CronJob's Pods belong to a Job), no name and no namespace of its own.
 */
export function podFromTemplate(
  workload: KubeObject,
  template: DeepReadonly<PodTemplateSpec>,
): DeepReadonly<Pod> {
  const { name = '' } = workload.metadata;
  const owner =
    workload.kind === 'CronJob'
      ? { apiVersion: 'batch/v1', kind: 'Job', name, uid: '', controller: true }
      : { apiVersion: workload.apiVersion, kind: workload.kind, name, uid: '', controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, generateName: `${name}-`, ownerReferences: [owner] },
    spec: template.spec ?? { containers: [] },
  };
}
