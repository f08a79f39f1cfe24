import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import type { StringMap } from '../kube/kube-object.ts';
import { groupOf } from '../kube/resource.ts';
import type { GroupVersionKind, GroupVersionResource } from './attributes.ts';

/** The objects that selectors, policies and plugins look at. */
export interface ClusterObjects {
  get(group: string, kind: string, namespace: string, name: string): JsonObject | undefined;
  list(group: string, kind: string, namespace?: string): readonly JsonObject[];
  namespaceLabels(name: string): StringMap | undefined;
  customResource(kind: GroupVersionKind): CustomResource | undefined;
  /** The served versions of custom resources, by `resource.group`. */
  readonly versions: ReadonlyMap<string, readonly string[]>;
}

/** One version of a CustomResourceDefinition. */
export interface CustomResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: JsonObject | undefined;
}

export function clusterObjects(objects: readonly JsonObject[]): ClusterObjects {
  const byKind = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const key = `${groupOf(String(object.apiVersion))}/${String(object.kind)}`;
    const list = byKind.get(key);
    if (list === undefined) byKind.set(key, [object]);
    else list.push(object);
  }
  const list = (group: string, kind: string, namespace?: string) =>
    (byKind.get(`${group}/${kind}`) ?? []).filter(
      (object) => namespace === undefined || namespaceOf(object) === namespace,
    );
  const get = (group: string, kind: string, namespace: string, name: string) =>
    list(group, kind, namespace).find((object) => metadataOf(object).name === name);
  const definitions = list('apiextensions.k8s.io', 'CustomResourceDefinition').flatMap(customResources);
  const versions = new Map<string, string[]>();
  for (const { resource, group, version } of definitions) {
    const key = `${resource}.${group}`;
    versions.set(key, [...(versions.get(key) ?? []), version]);
  }
  return {
    get,
    list,
    namespaceLabels: (name) => namespaceLabels(get('', 'Namespace', '', name), name),
    customResource: ({ group, version, kind }) =>
      definitions.find((each) => each.group === group && each.version === version && each.kind === kind),
    versions,
  };
}

/** Every cluster has these; their labels matter to selectors even if they are not given. */
const ALWAYS = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

function namespaceLabels(namespace: JsonObject | undefined, name: string): StringMap | undefined {
  if (namespace === undefined && !ALWAYS.includes(name)) return undefined;
  const labels = namespace === undefined ? {} : metadataOf(namespace).labels;
  return { 'kubernetes.io/metadata.name': name, ...(isJsonObject(labels) ? (labels as StringMap) : {}) };
}

export function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object.metadata) ? object.metadata : {};
}

function namespaceOf(object: JsonObject): string {
  const { namespace } = metadataOf(object);
  return typeof namespace === 'string' ? namespace : '';
}

function customResources({ spec }: JsonObject): CustomResource[] {
  if (!isJsonObject(spec) || !isJsonObject(spec.names)) return [];
  const { names, group, scope } = spec;
  const versions = isJsonArray(spec.versions) ? spec.versions.filter(isJsonObject) : [];
  return versions
    .filter((version) => version.served !== false)
    .map((version) => ({
      group: String(group),
      version: String(version.name),
      resource: String(names.plural),
      kind: String(names.kind),
      namespaced: scope !== 'Cluster',
      schema:
        isJsonObject(version.schema) && isJsonObject(version.schema.openAPIV3Schema)
          ? version.schema.openAPIV3Schema
          : undefined,
    }));
}
