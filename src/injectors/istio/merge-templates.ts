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

export interface MergeOptions {
  readonly native: boolean;
  readonly followNativeProxy: boolean;
}

/** Merges rendered templates over the Pod, in order. */
export function mergeTemplates(
  pod: JsonObject,
  rendered: readonly { readonly name: string; readonly document: JsonObject }[],
  { native, followNativeProxy }: MergeOptions,
): Merged {
  let merged = pod;
  let template: JsonObject = { metadata: {}, spec: {} };
  for (const { document } of rendered) {
    const follows =
      native && followNativeProxy && named(containersOf(template, 'initContainers'), PROXY) !== undefined;
    const patch = follows ? withNativeProxy(document) : document;
    template = strategicMerge(template, patch, podMergeSchema);
    if (native && named(containersOf(template, 'initContainers'), PROXY) !== undefined) {
      merged = withNativeProxy(merged);
    }
    merged = strategicMerge(merged, patch, podMergeSchema);
  }
  return { pod: merged, template };
}

/** The proxy among the containers goes to the end of the init containers. */
function withNativeProxy(pod: JsonObject): JsonObject {
  const containers = containersOf(pod, 'containers');
  const proxy = named(containers, PROXY);
  if (proxy === undefined) return pod;
  const rest = withContainers(
    pod,
    'containers',
    containers.filter((each) => each !== proxy),
  );
  return withContainers(rest, 'initContainers', [...containersOf(rest, 'initContainers'), proxy]);
}
