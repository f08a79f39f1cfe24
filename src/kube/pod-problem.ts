import { isJsonObject, type JsonObject } from '../json/json.ts';

/** Why something that calls itself a Pod, or a template of one, is none that our types describe; undefined when it is. */
export function podProblem(pod: JsonObject): string | undefined {
  const { spec, metadata = {} } = pod;
  if (!isJsonObject(metadata)) return 'metadata is not a map';
  for (const field of ['annotations', 'labels']) {
    if (!isJsonObject(metadata[field] ?? {})) return `metadata.${field} is not a map`;
  }
  if (!isJsonObject(spec)) return 'spec is not a map';
  for (const field of ['containers', 'initContainers', 'volumes']) {
    const list = spec[field] ?? (field === 'containers' ? null : []);
    if (!Array.isArray(list) || !list.every(isJsonObject)) return `spec.${field} is not a list of maps`;
  }
  return undefined;
}
