import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, groupOf } from '../kube/resource.ts';
import type { Attributes, GroupVersionKind, GroupVersionResource } from './attributes.ts';

/** The kind under which a request appears to a webhook whose rule matched this resource. */
export function kindOfResource(request: Attributes, resource: GroupVersionResource): GroupVersionKind {
  const isOwn = resource.group === request.resource.group && resource.version === request.resource.version;
  // `scale` and others have a kind of another group.
  if (isOwn || request.subresource !== '') return request.kind;
  return { group: resource.group, version: resource.version, kind: request.kind.kind };
}

/** An object in another version of its kind. Only HorizontalPodAutoscalers differ in more than their apiVersion. */
export function convertObject(object: JsonObject | null, to: GroupVersionKind): JsonObject | null {
  const apiVersion = apiVersionOf(to);
  if (object === null || object.apiVersion === apiVersion || object.kind !== to.kind) return object;
  const next: JsonObject = { ...object, apiVersion };
  if (groupOf(apiVersion) !== 'autoscaling' || !isJsonObject(object.spec)) return next;
  return { ...next, spec: to.version === 'v2' ? toV2(object.spec) : toV1(object.spec) };
}

function toV2({ targetCPUUtilizationPercentage: percentage, ...spec }: JsonObject): JsonObject {
  if (percentage === undefined) return spec;
  const target = { type: 'Utilization', averageUtilization: percentage };
  return { ...spec, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] };
}

function toV1({ metrics, ...spec }: JsonObject): JsonObject {
  const percentage = (isJsonArray(metrics) ? metrics : [])
    .map(cpuUtilization)
    .find((each) => each !== undefined);
  return percentage === undefined ? spec : { ...spec, targetCPUUtilizationPercentage: percentage };
}

function cpuUtilization(metric: Json): Json | undefined {
  if (!isJsonObject(metric) || !isJsonObject(metric.resource) || metric.resource.name !== 'cpu')
    return undefined;
  const { target } = metric.resource;
  return isJsonObject(target) ? target.averageUtilization : undefined;
}
