import { isJsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podFromTemplate, podTemplatePathOf } from '../kube/workload.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** The Pod that a workload's controller would create; undefined for other objects. */
export function podOfWorkload(object: KubeObject, { workloads }: Pipeline): KubeObject | undefined {
  const path = podTemplatePathOf(object, workloads);
  const template = path === undefined ? undefined : valueAt(asJson(object), path);
  if (!isJsonObject(template) || !isJsonObject(template.spec)) return undefined;
  const pod = podFromTemplate(object, template) as unknown as KubeObject;
  // The API server rejects a reference without a uid, which the owner gets when it is stored.
  const ownerReferences = pod.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: NO_UID }));
  const { namespace } = object.metadata;
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(namespace !== undefined && { namespace }), ownerReferences },
  } as KubeObject;
}

const NO_UID = '00000000-0000-0000-0000-000000000000';
