import type { JsonObject } from '../../json/json.ts';
import { podMergeSchema } from '../../kube/pod-merge-schema.ts';
import { strategicMerge } from '../../kube/strategic-merge.ts';
import { PROXY } from './names.ts';
import { containersOf, named, withContainers } from './pod-json.ts';

export interface Merged {
  /** The Pod with all templates merged over it. */
  readonly pod: JsonObject;
  /** The templates merged over each other. */
  readonly template: JsonObject;
}

/**
 * Merges rendered templates over the Pod, in order. Where the proxy is a native sidecar, what the Pod or a template says
 * of it among the containers goes to the init container: Istio would make a second one of that, without an image.
 */
export function mergeTemplates(pod: JsonObject, documents: readonly JsonObject[], native: boolean): Merged {
  const isInit =
    native &&
    documents.some((document) => named(containersOf(document, 'initContainers'), PROXY) !== undefined);
  const patches = isInit ? documents.map(withNativeProxy) : documents;
  const merged = patches.reduce(merge, isInit ? withNativeProxy(pod) : pod);
  return { pod: merged, template: mergedTemplate(patches) };
}

function merge(pod: JsonObject, patch: JsonObject): JsonObject {
  return strategicMerge(pod, patch, podMergeSchema);
}

const NOTHING: JsonObject = { metadata: {}, spec: {} };
const alone = new WeakMap<JsonObject, JsonObject>();

/** Most Pods have one template, and its document is the same for many. */
function mergedTemplate(patches: readonly JsonObject[]): JsonObject {
  const [first] = patches;
  if (first === undefined || patches.length > 1) return patches.reduce(merge, NOTHING);
  const known = alone.get(first) ?? merge(NOTHING, first);
  alone.set(first, known);
  return known;
}

/** The proxy among the containers goes to the end of the init containers, or over the one that is there. */
function withNativeProxy(pod: JsonObject): JsonObject {
  const containers = containersOf(pod, 'containers');
  const proxy = named(containers, PROXY);
  if (proxy === undefined) return pod;
  const others = containers.filter((each) => each !== proxy);
  const rest = withContainers(pod, 'containers', others);
  const initContainers = containersOf(rest, 'initContainers');
  if (named(initContainers, PROXY) === undefined)
    return withContainers(rest, 'initContainers', [...initContainers, proxy]);
  return merge(rest, { spec: { initContainers: [proxy] } });
}
