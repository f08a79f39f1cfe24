import type { KubeClient } from '../cluster/client/client.ts';
import { pagesOf } from '../cluster/snapshot.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { type LabelSelector, matchesSelector } from '../kube/label-selector.ts';
import { builtin } from '../kube/resource.ts';

/** Whether all Pods of a workload have its current template, and are available. */
export function isRolledOut(workload: KubeObject): boolean {
  const { spec, status } = partsOf(workload);
  const { generation = 0 } = asJson(workload.metadata);
  if (numberOf(status.observedGeneration) < numberOf(generation)) return false;
  const isDaemonSet = workload.kind === 'DaemonSet';
  const wanted = isDaemonSet ? numberOf(status.desiredNumberScheduled) : numberOf(spec.replicas ?? 1);
  const current = isDaemonSet ? status.updatedNumberScheduled : status.updatedReplicas;
  const available = isDaemonSet ? status.numberAvailable : status.availableReplicas;
  const total = isDaemonSet ? status.currentNumberScheduled : status.replicas;
  return numberOf(current) >= wanted && numberOf(available) >= wanted && numberOf(total) <= wanted;
}

/** Why a change of its template would not replace the Pods of a workload now; undefined if it would. */
export function cannotRestart(workload: KubeObject): string | undefined {
  const { spec } = partsOf(workload);
  if (spec.paused === true) return 'its rollout is paused';
  const { updateStrategy } = spec;
  if (isJsonObject(updateStrategy) && updateStrategy.type === 'OnDelete')
    return 'its Pods are replaced only when they are deleted';
  return isRolledOut(workload) ? undefined : 'it is being rolled out, or not all of its Pods are available';
}

/** Names the PodDisruptionBudget that allows no Pod of the workload to be disrupted; undefined if there is none. */
export async function blockingBudget(
  client: Pick<KubeClient, 'list'>,
  namespace: string,
  workload: KubeObject,
): Promise<string | undefined> {
  const labels = at(asJson(workload), 'spec', 'template', 'metadata', 'labels');
  const own = isJsonObject(labels) ? (labels as Record<string, string>) : {};
  for await (const page of pagesOf(client, builtin('PodDisruptionBudget'), { namespace })) {
    for (const budget of page) {
      const { spec, status } = partsOf(budget);
      const { selector } = spec;
      if (!isJsonObject(selector) || !matchesSelector(selector as LabelSelector, own)) continue;
      if (numberOf(status.disruptionsAllowed) < 1)
        return `PodDisruptionBudget "${budget.metadata.name}" allows no disruption`;
    }
  }
  return undefined;
}

/** Annotations of the Pod template; undefined if it has none. */
export function templateAnnotations(workload: KubeObject): Readonly<Record<string, string>> | undefined {
  const annotations = at(asJson(workload), 'spec', 'template', 'metadata', 'annotations');
  return isJsonObject(annotations) ? (annotations as Record<string, string>) : undefined;
}

function partsOf(object: KubeObject): { readonly spec: JsonObject; readonly status: JsonObject } {
  const { spec, status } = asJson(object);
  return { spec: isJsonObject(spec) ? spec : {}, status: isJsonObject(status) ? status : {} };
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((node, key) => (isJsonObject(node) ? node[key] : undefined), value);
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
