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
  const routed = (object: JsonObject) => (isInit ? withNativeProxy(object) : object);
  let merged = routed(pod);
  let template: JsonObject = { metadata: {}, spec: {} };
  for (const document of documents) {
    const patch = routed(document);
    template = strategicMerge(template, patch, podMergeSchema);
    merged = strategicMerge(merged, patch, podMergeSchema);
  }
  return { pod: merged, template };
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
  return strategicMerge(rest, { spec: { initContainers: [proxy] } }, podMergeSchema);
}
