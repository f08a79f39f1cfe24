import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { StringMap } from '../kube/kube-object.ts';
import { type LabelSelector, matchesSelector } from '../kube/label-selector.ts';
import type { Attributes } from './attributes.ts';
import { isNamespaces } from './match-rules.ts';

/** `missing` names a Namespace that does not exist, so that the selector cannot be evaluated. */
export type NamespaceMatch = boolean | { readonly missing: string };

/**
 * Whether a request's Namespace matches. A request without Namespace always does. For a Namespace itself the labels are those of the
 * new object, or the stored ones on DELETE.
 */
export function matchesNamespaceSelector(
  selector: JsonObject | undefined,
  request: Attributes,
  labelsOfNamespace: (name: string) => StringMap | undefined,
): NamespaceMatch {
  if (request.namespace === '' && !isNamespaces(request.resource)) return true;
  if (isEmptySelector(selector)) return true;
  const isWritten = request.operation === 'CREATE' || request.operation === 'UPDATE';
  const labels =
    isNamespaces(request.resource) && isWritten
      ? labelsIn(request.object)
      : labelsOfNamespace(request.namespace);
  return labels === undefined ? { missing: request.namespace } : matches(selector, labels);
}

/** Whether the new or the old object matches. Without metadata, as in `PodExecOptions`, an object has no labels to match. */
export function matchesObjectSelector(
  selector: JsonObject | undefined,
  object: JsonObject | null,
  oldObject: JsonObject | null,
): boolean {
  if (isEmptySelector(selector)) return true;
  return [object, oldObject].some((each) => {
    const labels = labelsIn(each);
    return labels !== undefined && matches(selector, labels);
  });
}

function isEmptySelector(selector: JsonObject | undefined): selector is undefined {
  if (selector === undefined) return true;
  return isEmpty(selector.matchLabels) && isEmpty(selector.matchExpressions);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || Object.keys(value).length === 0;
}

function matches(selector: JsonObject | undefined, labels: StringMap): boolean {
  return matchesSelector((selector ?? {}) as LabelSelector, labels);
}

function labelsIn(object: JsonObject | null): StringMap | undefined {
  const metadata = object?.metadata;
  if (!isJsonObject(metadata)) return undefined;
  return isJsonObject(metadata.labels) ? (metadata.labels as StringMap) : {};
}
