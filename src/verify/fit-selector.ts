import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import type { StringMap } from '../kube/kube-object.ts';

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
