import { isJsonObject, type JsonObject } from '../json/json.ts';

/** Why something that calls itself a Pod, or a template of one, is none that our types describe; undefined when it is. */
export function podProblem(pod: JsonObject): string | undefined {
  const { spec, metadata = {} } = pod;
  if (!isJsonObject(metadata)) return 'metadata is not a map';
  for (const field of MAPS) {
    if (!isJsonObject(metadata[field] ?? NOTHING)) return `metadata.${field} is not a map`;
  }
  if (!isJsonObject(spec)) return 'spec is not a map';
  for (const field of LISTS) {
    const list = spec[field] ?? null;
    if (list === null && field !== 'containers') continue;
    if (!Array.isArray(list) || !list.every(isJsonObject)) return `spec.${field} is not a list of maps`;
  }
  return undefined;
}

const MAPS = ['annotations', 'labels'];
const LISTS = ['containers', 'initContainers', 'volumes'];
const NOTHING = {};
