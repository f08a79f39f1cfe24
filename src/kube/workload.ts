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
 * The Pod that a workload's controller would create from its template, as admission would see it: `generateName`, an owner, no
 * name and no namespace of its own. The owner is the workload itself: what stands between them (a ReplicaSet, a CronJob's
 * Job) has a name that nobody knows yet.
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
