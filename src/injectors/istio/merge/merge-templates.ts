import { cacheByObject, isJsonArray, type JsonObject, member } from '../../../sdk/index.ts';
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
 * `containers` applies to the init container. Istio makes a second container of it, without an image.
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
  const names = (field: string) => {
    const list = member(spec, field) ?? [];
    const items = isJsonArray(list) ? list.map(asObject) : [];
    const found = items.filter(({ $patch }) => $patch !== 'delete').map(({ name }) => name);
    return [...new Set(found.filter((name) => typeof name === 'string'))];
  };
  const found = {
    initContainers: names('initContainers'),
    containers: names('containers'),
    volumes: names('volumes'),
    imagePullSecrets: names('imagePullSecrets'),
  };
  const members = Object.entries(found).map(
    ([field, list]) => `"${field}":${goJsonText(list.length === 0 ? null : list)}`,
  );
  return { ...found, text: members.join() };
});

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
