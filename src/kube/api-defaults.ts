import type { JsonObject } from '../json/json.ts';
import { fillMember } from './fill.ts';
import { asJson, type KubeObject } from './kube-object.ts';
import { objectDefaults } from './object-defaults.ts';
import { admittedPodDefaults, podTemplateDefaults } from './pod-defaults.ts';
import { templatePathOf } from './workload.ts';
import { workloadDefaults } from './workload-defaults.ts';

/**
 * An object with the defaults that the API server fills in before it calls webhooks; custom resources and kinds without defaults as
 * they are. Nothing is validated, lists with items get no new ones, and unchanged parts are shared.
 *
 * Not modelled: what depends on the cluster (LimitRanges, default PriorityClass, tolerations), the ServiceAccount's token, and
 * requests of the whole Pod.
 */
export function withDefaults(object: KubeObject, ofPod = admittedPodDefaults): KubeObject {
  const json = asJson(object);
  if (object.kind === 'Pod' && object.apiVersion === 'v1') {
    return fillMember(json, 'spec', ofPod) as unknown as KubeObject;
  }
  const path = templatePathOf(object);
  if (path === undefined) {
    const change = objectDefaults.get(`${object.apiVersion}/${object.kind}`);
    return change === undefined ? object : (change(json) as unknown as KubeObject);
  }
  const withTemplate = atPath(json, path.split('/').slice(1), (template) =>
    fillMember(template, 'spec', podTemplateDefaults),
  );
  return workloadDefaults(withTemplate, object.apiVersion, object.kind) as unknown as KubeObject;
}

function atPath(
  object: JsonObject,
  [head, ...rest]: readonly string[],
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  return head === undefined
    ? change(object)
    : fillMember(object, head, (child) => atPath(child, rest, change));
}
