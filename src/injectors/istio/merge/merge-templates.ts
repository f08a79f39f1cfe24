import { cacheByObject, isJsonArray, type Json, type JsonObject } from '../../../sdk/index.ts';
import { podMerge } from '../generated/merge-schema.ts';
import { PROXY } from '../names.ts';
import { asObject, containersOf, named, withContainers } from '../pod-json.ts';
import { goJsonText } from '../pod-types/go-json.ts';
import { strategicMerge } from './strategic-merge.ts';
import { withoutZeros } from './without-zeros.ts';

export interface Merged {
  /** The Pod with all templates merged over it. */
  readonly pod: JsonObject;
  /** The names of everything that the templates define, including those of the user's containers. */
  readonly names: TemplateNames;
  /** All templates, merged. */
  readonly template: JsonObject;
}

export interface TemplateNames {
  readonly initContainers: readonly string[];
  readonly containers: readonly string[];
  readonly volumes: readonly string[];
  readonly imagePullSecrets: readonly string[];
  /** All of them as members of a JSON object, by Go's rules. */
  readonly text: string;
}

/**
 * Merges rendered templates over the Pod, in order. If the proxy is a native sidecar, everything under its name in
 * `containers` applies to the init container. Istio makes it a second container, without an image.
 */
export function mergeTemplates(
  pod: JsonObject,
  rendered: readonly JsonObject[],
  { isNative, isReinjection }: { readonly isNative: boolean; readonly isReinjection: boolean },
): Merged {
  const documents = isReinjection ? rendered.map(withoutZeros) : rendered;
  const isInit =
    isNative &&
    documents.some((document) => named(containersOf(document, 'initContainers'), PROXY) !== undefined);
  const patches = isInit ? documents.map(withProxyAsInit) : documents;
  const [only, ...others] = patches;
  const template = only !== undefined && others.length === 0 ? only : patches.reduce(merge, {});
  return {
    pod: patches.reduce(merge, isInit ? withProxyAsInit(pod) : pod),
    names: namesIn(template),
    template,
  };
}

function merge(pod: JsonObject, patch: JsonObject): JsonObject {
  return strategicMerge(pod, patch, podMerge);
}

const namesIn = cacheByObject((template: JsonObject): TemplateNames => {
  const spec = asObject(template.spec);
  const initContainers = namesOf(spec.initContainers);
  const containers = namesOf(spec.containers);
  const volumes = namesOf(spec.volumes);
  const imagePullSecrets = namesOf(spec.imagePullSecrets);
  const text = goJsonText({
    initContainers: orNull(initContainers),
    containers: orNull(containers),
    volumes: orNull(volumes),
    imagePullSecrets: orNull(imagePullSecrets),
  });
  return { initContainers, containers, volumes, imagePullSecrets, text: text.slice(1, -1) };
});

function namesOf(list: Json | undefined): readonly string[] {
  const names = new Set<string>();
  for (const item of isJsonArray(list) ? list : []) {
    const { name, $patch } = asObject(item);
    if (typeof name === 'string' && $patch !== 'delete') names.add(name);
  }
  return [...names];
}

function orNull(names: readonly string[]): Json {
  return names.length === 0 ? null : names;
}

/** Moves the proxy from the containers to the end of the init containers, or merges it over the one that is there. */
function withProxyAsInit(pod: JsonObject): JsonObject {
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
