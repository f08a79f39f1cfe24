import type { JsonObject } from '../json/json.ts';
import { roundTrip } from '../kube/typed/round-trip.ts';
import { typedKind } from '../kube/typed/schema.ts';
import type { Attributes, GroupVersionResource } from './attributes.ts';
import type { ExpressionRequest } from './bindings.ts';
import { convertObject, kindOfResource } from './convert-object.ts';
import type { PolicyInputs } from './inputs.ts';
import { isNamespaces } from './match-rules.ts';
import { notFound, type Status } from './status.ts';

/** The request as a policy's expressions see it, in the version that its rule asked for. */
export function expressionRequest(
  request: Attributes,
  resource: GroupVersionResource,
  namespaceObject: JsonObject | null,
  params: JsonObject | null | undefined,
  inputs: PolicyInputs,
): ExpressionRequest {
  const kind = kindOfResource(request, resource);
  return {
    request,
    kind,
    resource,
    object: convertObject(request.object, kind),
    oldObject: convertObject(request.oldObject, kind),
    namespaceObject,
    params,
    authorize: inputs.authorize ?? 'unavailable',
  };
}

/** The Namespace of a request; null for cluster-scoped objects and for Namespaces. It must exist. */
export function namespaceOfRequest(
  request: Attributes,
  { cluster }: PolicyInputs,
): { readonly namespace: JsonObject | null } | { readonly status: Status } {
  if (request.namespace === '' || isNamespaces(request.resource)) return { namespace: null };
  const { namespace: name } = request;
  const found = cluster.get('', 'Namespace', '', name);
  const labels = cluster.namespaceLabels(name);
  if (labels === undefined) return { status: notFound('namespaces', '', name) };
  const object = found ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const type = typedKind('v1', 'Namespace');
  const decoded = type === undefined ? { error: '' } : roundTrip(object, type);
  return { namespace: 'error' in decoded ? object : decoded.value };
}

/** A parameter as expressions see it. Those of built-in kinds lack `apiVersion` and `kind` in mutating policies. */
export function paramValue(param: JsonObject | null, isMutating: boolean): JsonObject | null {
  if (param === null || !isMutating) return param;
  if (typedKind(String(param.apiVersion), String(param.kind)) === undefined) return param;
  const { apiVersion: _, kind: __, ...rest } = param;
  return rest;
}
