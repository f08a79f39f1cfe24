import type { ChainRequest } from '../chain/request.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import type { StringMap } from '../kube/kube-object.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import type { Subject } from './subject.ts';

/** Where requests go, unless an object names its own namespace. */
export const NAMESPACE = 'podgraft-verify';

/** The given objects, and the namespace of the request with labels that the selectors of the webhooks accept, unless it is given. */
export function clusterObjectsFor(
  subjects: readonly Subject[],
  given: readonly JsonObject[],
  { namespace: name }: ChainRequest,
): readonly JsonObject[] {
  const isGiven = given.some((object) => object.kind === 'Namespace' && metadataOf(object).name === name);
  if (name === undefined || isGiven) return given;
  const labels = Object.assign({}, ...subjects.map(({ webhook }) => labelsFor(webhook.namespaceSelector)));
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }, ...given];
}

/** With labels that the selectors of the webhooks accept. A Pod with ephemeral containers can only be updated. */
export function requestFor(subjects: readonly Subject[], object: JsonObject): ChainRequest {
  const metadata = metadataOf(object);
  const wanted = Object.assign({}, ...subjects.map(({ webhook }) => labelsFor(webhook.objectSelector)));
  const hasLabels = Object.keys(wanted).length > 0;
  const fitting = {
    ...object,
    metadata: {
      ...metadata,
      ...(hasLabels && { labels: { ...(metadata.labels as JsonObject | undefined), ...wanted } }),
    },
  } as JsonObject;
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : NAMESPACE;
  const scope = isClusterScoped(object) ? {} : { namespace };
  const hasEphemeral = (object.spec as JsonObject | undefined)?.ephemeralContainers !== undefined;
  const mayCreate = subjects.length === 0 || subjects.some(({ webhook }) => takes(webhook.rules, 'CREATE'));
  if (!hasEphemeral && mayCreate) return { object: fitting, ...scope };
  return { object: fitting, oldObject: fitting, ...scope };
}

/** Labels that a selector accepts. `NotIn` and `DoesNotExist` are met by leaving a label out. */
export function labelsFor(selector: JsonObject): StringMap {
  const labels: Record<string, string> = {};
  for (const expression of isJsonArray(selector.matchExpressions) ? selector.matchExpressions : []) {
    if (!isJsonObject(expression)) continue;
    const { key, operator, values } = expression;
    if (operator === 'Exists') labels[String(key)] = 'true';
    if (operator === 'In' && isJsonArray(values)) labels[String(key)] = String(values[0]);
  }
  for (const [key, value] of Object.entries(isJsonObject(selector.matchLabels) ? selector.matchLabels : {})) {
    labels[key] = String(value);
  }
  return labels;
}

function isClusterScoped({ kind }: JsonObject): boolean {
  return kind === 'Namespace';
}

function takes(rules: Subject['webhook']['rules'], operation: string): boolean {
  return rules.some(({ operations = [] }) => operations.includes('*') || operations.includes(operation));
}
